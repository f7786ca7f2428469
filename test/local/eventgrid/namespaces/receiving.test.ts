import { describe, expect, it } from "vitest";
import { cloudEvent } from "../../support/cloud.js";
import { startNamespace } from "./start-namespace.js";

describe("receiving from a queue", () => {
  it("answers a waiting receiver as soon as an event is published", async () => {
    const { publish, queue, receive } = await startNamespace();
    // The first receiver leaves: the event is for the second.
    const gone = new AbortController();
    const leaving = queue.receive({ maxWaitMs: 10_000, signal: gone.signal });
    const waiting = receive();
    gone.abort();
    expect(await leaving).toEqual([]);
    await publish();
    expect((await waiting).map(({ event }) => event.id)).toEqual(["1"]);
  });

  it("refuses an unknown operation or version", async () => {
    const { namespace, call } = await startNamespace();
    expect((await call("orders/eventsubscriptions/shop:peek")).status).toBe(404);
    const headers = { authorization: `SharedAccessKey ${namespace.accessKey}` };
    const receive = (version: string, operation = "receive") =>
      fetch(
        `${namespace.endpoint}/topics/orders/eventsubscriptions/shop:${operation}?api-version=${version}`,
        { method: "POST", headers, body: '{"lockTokens":["x"]}' },
      );
    expect((await receive("2023-06-01-preview")).status).toBe(400);
    expect((await receive("2023-11-01", "acknowledge")).status).toBe(200);
  });
});

it("settling events refuses a body without tokens", async () => {
  const { call } = await startNamespace();
  for (const body of ["", "{}", '{"lockTokens":[]}', '{"lockTokens":[1]}']) {
    const response = await call("orders/eventsubscriptions/shop:acknowledge", body);
    expect(response.status).toBe(400);
  }
});

describe("an event that leaves the queue unhandled", () => {
  const deadLetter = { container: "dead" };

  it("has reached its time to live, but not while it is locked", async () => {
    const { cloud, publishAll, receive, settle, queue } = await startNamespace({
      deadLetter,
      eventTimeToLive: "PT1M",
    });
    await publishAll(["1", "2"].map((id) => cloudEvent({ id, data: 1 })));
    await cloud.clock.advance({ seconds: 30 });
    const [locked] = await receive("maxEvents=1");
    await cloud.clock.advance({ seconds: 30 });
    const [letter, ...others] = cloud.deadLetters();
    expect([letter?.event.id, others]).toEqual(["2", []]);
    // Nobody received it, so there was no attempt that could have a time.
    expect(letter).not.toHaveProperty("lastdeliveryattempttime");
    expect(await settle("acknowledge", locked?.brokerProperties.lockToken)).toMatchObject({
      failedLockTokens: [],
    });
    expect(queue.counts).toMatchObject({ waiting: 0, locked: 0, acknowledged: 1, deadLettered: 1 });
  });
});
