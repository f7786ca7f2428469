import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { ACCEPTED, ACCESS_KEY, refused } from "../../../support/topic-server.js";
import { publisherWith, startTopic, type TimedOptions } from "../harness.js";
import { rejection } from "../rejection.js";

const topic = await startTopic();

const publisher = (options?: TimedOptions) => publisherWith({}, topic.binding, options);
const event = (id: string) => ({ type: "t", id, data: null });
const sent = () => topic.requests.map(({ events }) => events.map(({ id }) => id));

/** Holds all responses back until the test releases them. */
function heldTopic(): () => void {
  let release = () => {};
  const released = new Promise<typeof ACCEPTED>((resolve) => {
    release = () => resolve(ACCEPTED);
  });
  topic.answer = () => released;
  return release;
}

/** Bytes of an event on the wire. */
async function sizeOf(one: ReturnType<typeof event>): Promise<number> {
  await publisher().create(one);
  const { body = "" } = topic.requests.at(-1) ?? {};
  return Buffer.byteLength(body) - "[]".length;
}

describe("the queue", () => {
  it("holds 10,000 events and 64 MiB by default", async () => {
    const release = heldTopic();
    const shared = publisher({ whenFull: "fail" });
    const most = shared.create(Array.from({ length: 9_999 }, () => ({ type: "t" })));
    const last = shared.create(event("a"));
    const error = await rejection(shared.create(event("b")));

    expect(error.message).toContain("the queue is full (10000 events, 67108864 bytes)");
    release();
    await Promise.all([most, last]);
  });

  it("fails calls beyond its limit when whenFull is fail", async () => {
    const release = heldTopic();
    const shared = publisher({ limits: { bufferedEvents: 2 }, whenFull: "fail" });
    const calls = ["a", "b"].map((id) => shared.create(event(id)));

    expect(await rejection(shared.create(event("c")))).toMatchObject({
      code: "ERR_PUBLISH_QUEUE_FULL",
      retryable: true,
      events: [{ index: 0, id: "c", type: "t", mayHaveArrived: false }],
    });
    // Calls that were never admitted release no capacity.
    expect(await rejection(shared.create(event("d")))).toMatchObject({
      code: "ERR_PUBLISH_QUEUE_FULL",
    });
    release();
    await Promise.all(calls);
    expect(await shared.create(event("e"))).toEqual(["e"]);
  });

  it.each(["bufferedEvents", "bufferedBytes"])(
    "releases all %s of accepted events",
    async (limit) => {
      const two = limit === "bufferedEvents" ? 2 : 2 * (await sizeOf(event("a")));
      const shared = publisher({ limits: { [limit]: two }, whenFull: "fail" });
      await shared.create(event("a"));
      const release = heldTopic();
      const calls = ["b", "c"].map((id) => shared.create(event(id)));

      expect(await rejection(shared.create(event("d")))).toMatchObject({
        code: "ERR_PUBLISH_QUEUE_FULL",
      });
      release();
      expect(await Promise.all(calls)).toEqual([["b"], ["c"]]);
    },
  );

  it("takes an array that exceeds its limit when it is empty", async () => {
    const shared = publisher({ limits: { bufferedEvents: 2 }, whenFull: "fail" });
    expect(await shared.create(["a", "b", "c"].map(event))).toEqual(["a", "b", "c"]);
    expect(await shared.create(["d", "e", "f"].map(event))).toEqual(["d", "e", "f"]);
  });
});

describe("flush", () => {
  it("resolves when all earlier calls are settled, successfully or not", async () => {
    topic.answer = ({ events }) => (events[0]?.id === "a" ? refused(403, "No", "no") : ACCEPTED);
    const shared = publisher({ limits: { requestEvents: 1, concurrentRequests: 1 } });
    const results: string[] = [];
    for (const id of ["a", "b", "c"]) {
      shared.create(event(id)).then(
        () => results.push(`${id} accepted`),
        () => results.push(`${id} rejected`),
      );
    }
    await shared.flush();

    expect(results).toEqual(["a rejected", "b accepted", "c accepted"]);
  });

  it("does not count as handling a rejected call", async () => {
    topic.answer = () => refused(403, "No", "no");
    const script = `
      const { createPublisher } = require("cloud-eventgrid-binding-runtime");
      process.on("unhandledRejection", ({ code }) => console.log("nobody handled", code));
      const binding = { topicEndpoint: process.env.TOPIC, accessKey: process.env.KEY, name: "orders" };
      const publisher = createPublisher(binding);
      void publisher.create({ type: "t", data: null });
      publisher.close().then(() => console.log("closed"));`;
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], {
      env: { ...process.env, TOPIC: topic.endpoint, KEY: ACCESS_KEY },
      timeout: 290_000,
    });
    expect(stdout.trim().split("\n").sort()).toEqual([
      "closed",
      "nobody handled ERR_PUBLISH_UNAUTHORIZED",
    ]);
  });
});

describe("close", () => {
  it("waits for earlier calls and refuses later ones", async () => {
    const release = heldTopic();
    const shared = publisher();
    const before = shared.create(event("a"));
    const closed = shared.close();
    const after = await rejection(shared.create(event("b")));

    expect(after).toMatchObject({
      code: "ERR_PUBLISH_CLOSED",
      retryable: false,
      events: [{ id: "b", mayHaveArrived: false }],
    });
    release();
    expect(await before).toEqual(["a"]);
    expect(await closed).toBeUndefined();
    expect(sent()).toEqual([["a"]]);
  });

  it("may be called twice, and by await using", async () => {
    const shared = publisher();
    await shared.close();
    await shared.close();
    await shared[Symbol.asyncDispose]();
    expect(await rejection(shared.create(event("a")))).toMatchObject({
      code: "ERR_PUBLISH_CLOSED",
    });
  });

  it.each([
    ["is called", "await publisher.close();", 1],
    ["is not called but all calls are settled", "", 1],
    ["is not called but a call was accepted at the second attempt", "", 2],
  ])("lets the process end by itself when it %s", async (_when, close, attempts) => {
    topic.answer = () =>
      topic.requests.length < attempts ? refused(503, "ServerBusy", "busy") : ACCEPTED;
    const script = `
      const { createPublisher } = require("cloud-eventgrid-binding-runtime");
      const publisher = createPublisher({ topicEndpoint: process.env.TOPIC, accessKey: process.env.KEY, name: "n" });
      publisher.create({ type: "t", id: "a", data: 1 }).then(async ([id]) => {
        ${close}
        console.log("accepted", id);
      });`;
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], {
      env: { ...process.env, TOPIC: topic.endpoint, KEY: ACCESS_KEY },
      timeout: 290_000,
    });
    expect(stdout).toBe("accepted a\n");
  });
});
