import type { PublisherOptions } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { refused, type TopicAnswer, TopicServer } from "../../../support/topic-server.js";
import { answersInOrder, publisherWith } from "../harness.js";
import { rejection } from "../rejection.js";
import { order, startTimedTopic } from "../timed-topic.js";

const timed = await startTimedTopic();
const { topic, publisher } = timed;

const BUSY = refused(503, "ServiceUnavailable", "busy");

describe("an event", () => {
  it.each<[string, TopicAnswer]>([
    ["503", BUSY],
    ["a reset", "reset"],
  ])("is sent again after %s", async (_name, answer) => {
    answersInOrder(topic, answer);
    const created = publisher().create(order);
    await timed.clock.pass(125);

    expect(await created).toEqual(["a"]);
    expect(topic.requests.map(({ body }) => body)).toEqual([
      topic.requests[0]?.body,
      topic.requests[0]?.body,
    ]);
  });

  it("is sent again after a failed connection", async () => {
    const gone = await TopicServer.start();
    const { binding, endpoint } = gone;
    await gone.stop();
    const options = { clock: timed.clock, retry: { attempts: 2 } };
    const created = publisherWith({ random: () => 0 }, binding, options).create(order);
    const failed = rejection(created);
    await timed.clock.pass(125);

    expect(await failed).toMatchObject({
      code: "ERR_PUBLISH_UNAVAILABLE",
      status: undefined,
      retryable: true,
      events: [{ id: "a", mayHaveArrived: false }],
    });
    expect((await failed).message).toMatch(
      new RegExp(
        `^\\[POST\\] "${endpoint}": .*ECONNREFUSED .*: no server listens there, .* \\(after 2 attempts\\)$`,
      ),
    );
  });
});

describe("the delay before the next attempt", () => {
  it("doubles up to its limit, and half of it is random", async () => {
    answersInOrder(topic, BUSY, BUSY, BUSY, BUSY);
    const retry = { attempts: 5, firstDelayMs: 100, maxDelayMs: 300 };
    const created = publisher({ retry }, () => 0.5).create(order);
    for (const wait of [75, 150, 225]) await timed.clock.pass(wait);
    await timed.clock.pass(225);

    expect(await created).toEqual(["a"]);
  });

  it("grows from 250 ms to 10 s in five attempts by default", async () => {
    topic.answer = () => BUSY;
    const most = (retry: PublisherOptions["retry"]) =>
      rejection(publisher({ timeoutMs: 600_000, retry }, () => 0.999999).create(order));
    const five = most(undefined);
    for (const wait of [250, 500, 1_000, 2_000]) await timed.clock.pass(wait);
    expect((await five).message).toMatch(/ \(after 5 attempts\)$/);

    const eight = most({ attempts: 8 });
    for (const wait of [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000]) await timed.clock.pass(wait);
    expect((await eight).message).toMatch(/ \(after 8 attempts\)$/);
  });

  it("is not waited for when the time of the call ends before: the failure is reported at once", async () => {
    answersInOrder(topic, refused(429, "TooManyRequests", "slow down", { "retry-after": "61" }));

    expect(await rejection(publisher({ timeoutMs: 60_000 }).create(order))).toMatchObject({
      status: 429,
      retryable: true,
      message: `[POST] "${topic.endpoint}": 429 TooManyRequests: slow down (after 1 attempt, and time runs out before the next)`,
    });
    await timed.clock.whenIdle();
  });
});
