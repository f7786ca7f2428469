import { describe, expect, it } from "vitest";
import { cloudEvent } from "../../support/cloud.js";
import { deadLettersTo } from "../../support/dead-letters.js";
import { RECEIVE, VERSION } from "../../support/namespace-client.js";
import { startNamespace } from "./start-namespace.js";

describe("receiving from a queue", () => {
  it("answers a waiting receiver as soon as an event is published", async () => {
    const { publish, queue, receive } = await startNamespace();
    // The first receiver leaves: the event is for the second.
    const gone = new AbortController();
    const leaving = queue.receive({ maxWaitMs: 10_000, signal: gone.signal });
    const waiting = receive("maxWaitTime=10");
    gone.abort();
    expect(await leaving).toEqual([]);
    await publish();
    expect((await waiting).value.map(({ event }) => event.id)).toEqual(["1"]);
  });

  it("refuses an unknown operation or version", async () => {
    const { send, settle } = await startNamespace();
    expect((await settle("peek", "x")).status).toBe(404);
    const preview = RECEIVE.replace(VERSION, "api-version=2023-06-01-preview");
    expect((await send({ path: preview })).status).toBe(400);
    expect((await settle("acknowledge?api-version=2023-11-01", "x")).status).toBe(200);
  });
});

it("settling events refuses a body without tokens", async () => {
  const { send } = await startNamespace();
  const path = RECEIVE.replace("receive", "acknowledge");
  for (const body of ["", "{}", '{"lockTokens":[]}', '{"lockTokens":[1]}']) {
    expect((await send({ path, body })).status).toBe(400);
  }
});

describe("an event that leaves the queue unhandled", () => {
  const deadLetters = deadLettersTo("dead");

  it("has reached its time to live, but not while it is locked", async () => {
    const { cloud, publishAll, receive, settle, queue } = await startNamespace({
      ...deadLetters,
      eventTimeToLive: "PT1M",
    });
    await publishAll(["1", "2"].map((id) => cloudEvent({ id, data: 1 })));
    await cloud.clock.advance({ seconds: 30 });
    const [locked] = (await receive()).value;
    await cloud.clock.advance({ seconds: 30 });
    const [letter, ...others] = cloud.deadLetters();
    expect([letter?.event.id, others]).toEqual(["2", []]);
    // Nobody received it, so there was no attempt that could have a time.
    expect(letter).not.toHaveProperty("lastdeliveryattempttime");
    const { body } = await settle("acknowledge", locked?.brokerProperties.lockToken);
    expect(body).toMatchObject({ failedLockTokens: [] });
    expect(queue.counts).toMatchObject({ waiting: 0, locked: 0, acknowledged: 1, deadLettered: 1 });
  });

  it("is dead-lettered once if its delay ends together with its time to live", async () => {
    const { cloud, publish, queue } = await startNamespace({
      ...deadLetters,
      eventTimeToLive: "PT1M",
    });
    await publish();
    const [received] = await queue.receive();
    queue.release([received?.lockToken ?? ""], 60_000);
    await cloud.clock.advance({ minutes: 1 });
    expect(cloud.deadLetters()).toHaveLength(1);
    expect(queue.counts).toMatchObject({ delayed: 0, deadLettered: 1 });
  });
});
