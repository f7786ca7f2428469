import type { PublisherOptions } from "cloud-eventgrid-binding-runtime";
import { beforeEach, describe, expect, it } from "vitest";
import { gate } from "../../../support/gate.js";
import { ACCEPTED, refused, type TopicAnswer } from "../../../support/topic-server.js";
import { answersInOrder, intercepted } from "../harness.js";
import { rejection } from "../rejection.js";
import { order, startTimedTopic } from "../timed-topic.js";

const timed = await startTimedTopic();
const { topic, publisher } = timed;

describe("the delay before the next attempt", () => {
  it("is as long as Retry-After asks for, in seconds", async () => {
    answersInOrder(topic, refused(429, "TooManyRequests", "slow down", { "retry-after": "17" }));
    const created = publisher().create(order);
    await timed.clock.pass(17_000);

    expect(await created).toEqual(["a"]);
  });

  it("is not shortened by Retry-After", async () => {
    answersInOrder(topic, refused(429, "TooManyRequests", "slow down", { "retry-after": "1" }));
    const created = publisher({ retry: { firstDelayMs: 8_000 } }).create(order);
    await timed.clock.pass(4_000);

    expect(await created).toEqual(["a"]);
  });
});

describe("Retry-After", () => {
  const SLOW_DOWN = refused(429, "TooManyRequests", "slow down", { "retry-after": "10" });
  let sent = 0;
  beforeEach(() => {
    sent = 0;
  });
  /** Counts requests as they begin, because one that has not arrived may be on its way. */
  const counted = (options: PublisherOptions = {}) =>
    publisher({
      ...options,
      dispatcher: intercepted(() => {
        sent += 1;
      }),
    });
  const ids = () => topic.requests.map(({ events }) => events.map(({ id }) => id));

  it.each<[string, TopicAnswer]>([
    ["429", SLOW_DOWN],
    ["503", refused(503, "ServiceUnavailable", "busy", { "retry-after": "10" })],
  ])("holds back later calls, too, in a %s", async (_name, answer) => {
    answersInOrder(topic, answer);
    const shared = counted();
    const first = shared.create(order);
    await timed.clock.whenScheduled(10_000);
    const second = shared.create({ ...order, id: "b" });
    await new Promise(setImmediate);
    timed.clock.advance(9_999);
    await new Promise(setImmediate);
    expect(sent).toBe(1);
    timed.clock.advance(1);

    expect(await Promise.all([first, second])).toEqual([["a"], ["b"]]);
    expect(ids().slice(1).flat().sort()).toEqual(["a", "b"]);
  });

  it("holds back calls that waited for the request, also when its own caller has left", async () => {
    const controller = new AbortController();
    answersInOrder(topic, SLOW_DOWN);
    const shared = counted({ limits: { concurrentRequests: 1 } });
    const first = rejection(shared.create(order, { signal: controller.signal }));
    await topic.arrivals(1);
    const second = shared.create({ ...order, id: "b" });
    await timed.clock.whenScheduled(10_000);
    controller.abort();
    await first;
    await new Promise(setImmediate);
    expect(sent).toBe(1);
    timed.clock.advance(10_000);

    expect(await second).toEqual(["b"]);
  });

  it("fails a call at once whose time it exceeds, with the topic's reason", async () => {
    answersInOrder(topic, SLOW_DOWN);
    const shared = counted();
    const first = shared.create(order);
    await timed.clock.whenScheduled(10_000);
    const error = await rejection(shared.create({ ...order, id: "b" }, { timeoutMs: 9_999 }));

    expect(error).toMatchObject({
      code: "ERR_PUBLISH_UNAVAILABLE",
      status: 429,
      serviceCode: "TooManyRequests",
      retryable: true,
      message: `[POST] "${topic.endpoint}": 429 TooManyRequests: slow down (the topic asks to wait another 10 s, which is longer than the call may take)`,
      events: [{ id: "b", mayHaveArrived: false }],
    });
    timed.clock.advance(10_000);
    await first;
    expect(sent).toBe(2);
  });

  it("fails calls at once, too, that are queued and whose time it exceeds", async () => {
    const answer = gate();
    topic.answer = () => answer.passed.then(() => SLOW_DOWN);
    const shared = counted({ limits: { concurrentRequests: 1 } });
    const first = shared.create(order);
    await topic.arrivals(1);
    const short = { timeoutMs: 5_000 };
    const failed = ["b", "c", "d"].map((id) => rejection(shared.create({ ...order, id }, short)));
    answer.open();
    topic.answer = () => ACCEPTED;

    expect((await Promise.all(failed)).map(({ status }) => status)).toEqual([429, 429, 429]);
    timed.clock.advance(10_000);
    expect(await first).toEqual(["a"]);
  });

  it("keeps no timer when no caller waits", async () => {
    answersInOrder(topic, SLOW_DOWN);
    const controller = new AbortController();
    const shared = counted();
    const first = rejection(shared.create(order, { signal: controller.signal }));
    await timed.clock.whenScheduled(10_000);
    const second = rejection(shared.create({ ...order, id: "b" }, { signal: controller.signal }));
    await new Promise(setImmediate);
    controller.abort();
    await Promise.all([first, second]);
    await timed.clock.whenIdle();
  });

  it("holds back a retry that has another reason", async () => {
    const oops = refused(500, "InternalServerError", "oops");
    topic.answer = ({ events }) =>
      topic.requests.length > 2 ? ACCEPTED : events[0]?.id === "b" ? SLOW_DOWN : oops;
    const shared = counted({ limits: { requestEvents: 1 }, retry: { attempts: 2 } });
    const controller = new AbortController();
    const a = shared.create(order);
    const b = rejection(shared.create({ ...order, id: "b" }, { signal: controller.signal }));
    await timed.clock.whenScheduled(10_000);
    await timed.clock.whenScheduled(125);
    controller.abort();
    await b;
    timed.clock.advance(125);
    await timed.clock.whenScheduled(9_875);
    expect(sent).toBe(2);
    timed.clock.advance(9_875);

    expect(await a).toEqual(["a"]);
  });

  it("ends when the machine's clock is set back, and the next one is respected", async () => {
    answersInOrder(topic, SLOW_DOWN, ACCEPTED, SLOW_DOWN);
    const shared = counted({ retry: { attempts: 1 } });
    await rejection(shared.create(order));
    timed.clock.setBack(3_600_000);
    expect(await shared.create({ ...order, id: "b" })).toEqual(["b"]);
    await rejection(shared.create(order));
    const third = shared.create({ ...order, id: "c" });
    await timed.clock.whenScheduled(10_000);
    expect(sent).toBe(3);
    timed.clock.advance(10_000);

    expect(await third).toEqual(["c"]);
  });
});
