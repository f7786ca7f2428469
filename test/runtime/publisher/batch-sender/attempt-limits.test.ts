import { describe, expect, it } from "vitest";
import { refused } from "../../../support/topic-server.js";
import { answersInOrder } from "../harness.js";
import { rejection } from "../rejection.js";
import { order, startTimedTopic } from "../timed-topic.js";

const timed = await startTimedTopic();
const { topic, publisher } = timed;

const BUSY = refused(503, "ServiceUnavailable", "busy");

describe("attempts", () => {
  it("end after the configured number, with the last failure", async () => {
    topic.answer = () => BUSY;
    const failed = rejection(publisher({ retry: { attempts: 3 } }).create(order));
    for (const wait of [125, 250]) await timed.clock.pass(wait);

    expect(await failed).toMatchObject({
      status: 503,
      code: "ERR_PUBLISH_UNAVAILABLE",
      retryable: true,
      message: `[POST] "${topic.endpoint}": 503 ServiceUnavailable: busy (after 3 attempts)`,
      events: [{ id: "a", mayHaveArrived: true }],
    });
    expect(topic.requests).toHaveLength(3);
  });

  it("time out after 20 s by default, and are repeated", async () => {
    answersInOrder(topic, "hang");
    const created = publisher().create(order);
    await timed.clock.whenScheduled(20_000);
    await topic.arrivals(1);
    timed.clock.advance(20_000);
    await timed.clock.pass(125);

    expect(await created).toEqual(["a"]);
  });

  it("end when the time of the call runs out", async () => {
    topic.answer = () => "hang";
    const failed = rejection(publisher().create(order, { timeoutMs: 5_000 }));
    await topic.arrivals(1);
    timed.clock.advance(5_000);

    expect(await failed).toMatchObject({
      code: "ERR_PUBLISH_TIMEOUT",
      retryable: true,
      message: "the topic did not accept all events within 5000 ms",
      events: [{ id: "a", mayHaveArrived: true }],
    });
    await timed.clock.whenIdle();
  });

  it("are the reason that the call reports if they fail before its time runs out", async () => {
    answersInOrder(topic, BUSY, "hang");
    const failed = rejection(publisher({ timeoutMs: 5_000 }).create(order));
    await timed.clock.pass(125);
    await topic.arrivals(2);
    timed.clock.advance(5_000);

    expect(await failed).toMatchObject({
      code: "ERR_PUBLISH_TIMEOUT",
      message: `the topic did not accept all events within 5000 ms (last failure: [POST] "${topic.endpoint}": 503 ServiceUnavailable: busy)`,
    });
  });

  it("end after a minute by default", async () => {
    topic.answer = () => "hang";
    const failed = rejection(publisher({ attemptTimeoutMs: 100_000 }).create(order));
    await topic.arrivals(1);
    timed.clock.advance(60_000);

    expect(await failed).toMatchObject({ code: "ERR_PUBLISH_TIMEOUT" });
  });
});
