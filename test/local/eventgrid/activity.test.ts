import type { DeliveryAttempt } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { ActivityLog, AttemptHistory } from "../../../local/src/eventgrid/activity.js";

const eventOf = (id: string) => Object({ id, sizeInBytes: 1 });
const attemptOf = (event: object, attempt: number, outcome = "retrying") =>
  Object({ events: [event], attempt, outcome, request: {}, response: {} });
const hasExchange = ({ request, response }: DeliveryAttempt) =>
  request !== undefined || response !== undefined;

describe("the activity log", () => {
  it("keeps the last 90 attempts of an event, and the requests of the last five", () => {
    const log = new ActivityLog({ now: () => 0 }, 10, () => []);
    const event = eventOf("a");
    for (let attempt = 1; attempt <= 95; attempt++) log.attempted(attemptOf(event, attempt));
    const kept = log.attemptsOf(event);
    expect(kept.map(({ attempt }) => attempt)).toEqual(
      Array.from({ length: 90 }, (_, at) => at + 6),
    );
    expect(kept.map(hasExchange)).toEqual([...Array(85).fill(false), ...Array(5).fill(true)]);
  });

  it("keeps an event until all its copies are settled and it is no dead letter any more", () => {
    const letters: object[] = [];
    const log = new ActivityLog({ now: () => 7 }, 1, () => letters.map(Object));
    const [first, second, third] = ["1", "1", "2"].map(eventOf);
    for (const event of [first, second, third]) log.accepted(Object({ event }));
    const numbers = () => [...log.events().keys()].sort();
    expect(numbers()).toEqual([3]);
    log.queued(second, "sub");
    log.resumed(second, "sub");
    letters.push(first);
    expect(numbers()).toEqual([1, 2, 3]);
    // A number comes before an id, and a later event before an earlier one of its id.
    expect([1, "1", "2", 2].map((event) => log.findEvent(event).number)).toEqual([1, 2, 3, 2]);
    log.settled([second], "sub");
    letters.pop();
    expect(numbers()).toEqual([2, 3]);
    expect(log.findEvent(1).number).toBe(2);
    log.settled([second], "sub");
    expect(numbers()).toEqual([3]);
    const unknown = { status: 404, serviceCode: "EventNotFound" };
    expect(() => log.findEvent(1)).toThrow(expect.objectContaining(unknown));
    log.queued(first, "sub");
    log.cleared("sub");
    expect(numbers()).toEqual([3]);
  });

  it("numbers its entries, tells listeners of each until they end, and lists those that follow", () => {
    const log = new ActivityLog({ now: () => 7 }, 10, () => []);
    const heard: object[] = [];
    const end = log.listen((entry) => heard.push(entry));
    const handshake = Object({ subscription: "sub" });
    const attempt = attemptOf(eventOf("a"), 1);
    log.handshaken(handshake);
    log.attempted(attempt);
    end();
    log.handshaken(handshake);
    expect(heard).toEqual([
      { kind: "handshake", handshake, number: 1, at: 7 },
      { kind: "delivery", attempt, number: 2, at: 7 },
    ]);
    expect(log.after(1).map(({ number }) => number)).toEqual([2, 3]);
    log.clear();
    expect(log.list()).toEqual([]);
  });
});

it("a history keeps the requests of the last 1,000 to 2,000 successful attempts, and of all others", () => {
  const history = new AttemptHistory(3_000);
  const attempt = (outcome: string) => history.attempted(attemptOf(eventOf("a"), 1, outcome));
  const kept = () => history.list().filter(hasExchange).length;
  attempt("retrying");
  for (let count = 1; count < 2_000; count++) attempt("delivered");
  expect(kept()).toBe(2_000);
  attempt("delivered");
  expect(kept()).toBe(1_001);
  expect(history.list().slice(0, 1_002).filter(hasExchange)).toHaveLength(2);
  for (let count = 1; count < 500; count++) attempt("delivered");
  history.clear();
  expect(history.list()).toEqual([]);
  for (let count = 0; count < 1_999; count++) attempt("delivered");
  expect(kept()).toBe(1_999);
});
