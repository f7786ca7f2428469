import { createPublisher } from "cloud-eventgrid-binding-runtime/publisher";
import { beforeEach, describe, expect, it } from "vitest";
import { gate } from "../../support/gate.js";
import { ManualClock } from "../../support/manual-clock.js";
import { refused } from "../../support/topic-server.js";
import { keyless, startTopic } from "./harness.js";
import { rejection } from "./rejection.js";

const topic = await startTopic();
let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock();
});

const TIME = 20_000;
const order = (id: string) => ({ type: "shop.order.placed", id, data: 1 });
const never = new Promise<never>(() => {});

describe("a key function that hangs", () => {
  it("is told to all requests that wait for it", async () => {
    const publisher = createPublisher(keyless(topic), {
      accessKey: () => never,
      clock,
      retry: { attempts: 1 },
      limits: { requestEvents: 1 },
    });
    const failed = ["a", "b", "c", "d"].map((id) => rejection(publisher.create(order(id))));
    await clock.whenScheduled(TIME);
    clock.advance(TIME);

    expect((await Promise.all(failed)).map(({ code }) => code)).toEqual(
      Array(4).fill("ERR_PUBLISH_CREDENTIAL"),
    );
  });

  it("is asked anew by the next attempt of the same call", async () => {
    let asked = 0;
    const publisher = createPublisher(keyless(topic), {
      accessKey: () => (++asked === 1 ? never : "key-2"),
      clock,
      random: () => 0,
    });
    const created = publisher.create(order("a"));
    await clock.whenScheduled(TIME);
    clock.advance(TIME);
    await clock.whenScheduled(125);
    clock.advance(125);

    expect(await created).toEqual(["a"]);
    expect(topic.requests.map(({ headers }) => headers["aeg-sas-key"])).toEqual(["key-2"]);
  });

  it("is asked no more often for calls that have less time than an attempt", async () => {
    let asked = 0;
    const publisher = createPublisher(keyless(topic), {
      accessKey: () => (++asked === 1 ? never : "key-2"),
      clock,
    });
    const errors = [];
    for (let call = 0; call < 4; call += 1) {
      const failed = rejection(publisher.create(order("a"), { timeoutMs: 5_000 }));
      await clock.whenScheduled(TIME);
      clock.advance(5_000);
      errors.push(await failed);
    }

    expect(errors.map(({ code }) => code)).toEqual(Array(4).fill("ERR_PUBLISH_TIMEOUT"));
    expect(errors.flatMap(({ events }) => events.map((event) => event.mayHaveArrived))).toEqual(
      Array(4).fill(false),
    );
    expect(asked).toBe(1);
    expect(await publisher.create(order("b"), { timeoutMs: 5_000 })).toEqual(["b"]);
    expect(asked).toBe(2);
  });

  it("and answers in the end does not replace a newer key", async () => {
    const first = gate();
    const answers = [first.passed.then(() => "key-1"), "key-2"];
    const publisher = createPublisher(keyless(topic), {
      accessKey: () => answers.shift() ?? "key-3",
      clock,
      retry: { attempts: 1 },
    });
    const failed = rejection(publisher.create(order("a")));
    await clock.whenScheduled(TIME);
    clock.advance(TIME);
    await failed;
    await publisher.create(order("b"));
    first.open();
    await new Promise(setImmediate);
    await publisher.create(order("c"));

    expect(topic.requests.map(({ headers }) => headers["aeg-sas-key"])).toEqual(["key-2", "key-2"]);
  });

  it("after a refusal says clearly that the event is not in the topic", async () => {
    topic.answer = () => refused(401, "Unauthorized", "unknown");
    let asked = 0;
    const publisher = createPublisher(keyless(topic), {
      accessKey: () => (++asked === 1 ? "key-1" : never),
      clock,
      retry: { attempts: 1 },
    });
    const failed = rejection(publisher.create(order("a")));
    while (asked < 2) await new Promise(setImmediate);
    clock.advance(TIME);

    expect(await failed).toMatchObject({
      code: "ERR_PUBLISH_CREDENTIAL",
      events: [{ mayHaveArrived: false }],
    });
  });
});
