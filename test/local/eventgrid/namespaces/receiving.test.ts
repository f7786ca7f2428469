import { describe, expect, it } from "vitest";
import { cloudEvent } from "../../support/cloud.js";
import { refusal, startNamespace } from "./start-namespace.js";

const tokenOf = (received: readonly { brokerProperties: { lockToken: string } }[]) =>
  received[0]?.brokerProperties.lockToken;

const lost = { code: "TokenLost", message: "Token has expired." };

describe("receiving from a queue", () => {
  it("locks events with opaque tokens, and counts deliveries from 1", async () => {
    const { publishAll, receive, queue } = await startNamespace();
    await publishAll(["1", "2", "3"].map((id) => cloudEvent({ id, data: id })));
    const received = await receive("maxEvents=2");
    expect(received.map(({ event }) => event.id)).toEqual(["1", "2"]);
    const [one, other] = received.map(({ brokerProperties }) => brokerProperties);
    expect(one).toEqual({
      lockToken: expect.stringMatching(/^[A-Za-z0-9+/]{80}$/),
      deliveryCount: 1,
    });
    expect(other?.lockToken.slice(0, 40)).toBe(one?.lockToken.slice(0, 40));
    expect(other?.lockToken).not.toBe(one?.lockToken);
    expect(queue.counts).toMatchObject({ waiting: 1, locked: 2 });
  });

  it("returns an empty list after maxWaitTime, on the cloud's clock", async () => {
    const { cloud, receive } = await startNamespace();
    let answer: unknown;
    const waiting = receive("maxWaitTime=10").then((value) => {
      answer = value;
    });
    await cloud.clock.advance({ seconds: 9 });
    expect(answer).toBeUndefined();
    await expect
      .poll(async () => {
        await cloud.clock.advance({ seconds: 10 });
        return answer;
      })
      .toEqual([]);
    await waiting;
  });

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

  it.each([
    ["maxEvents=-20", "BadRequest", "Error parsing query parameters"],
    ["maxEvents=101", "ArgumentInvalid", "Invalid maxEvents parameter"],
    ["maxWaitTime=9", "ArgumentInvalid", "Invalid maxWaitTime parameter"],
    ["maxWaitTime=121", "ArgumentInvalid", "Invalid maxWaitTime parameter"],
  ])("refuses %s", async (query, code, message) => {
    const { call } = await startNamespace();
    const response = await call(`orders/eventsubscriptions/shop:receive?${query}`);
    expect(await refusal(response)).toMatchObject({ status: 400, header: code, message });
  });

  it("refuses an unknown event subscription, operation or version", async () => {
    const { namespace, call } = await startNamespace();
    expect((await call("orders/eventsubscriptions/x:receive")).status).toBe(404);
    expect((await call("orders/eventsubscriptions/shop:peek")).status).toBe(404);
    const headers = { authorization: `SharedAccessKey ${namespace.accessKey}` };
    const receive = (version: string, operation = "receive") =>
      fetch(
        `${namespace.endpoint}/topics/orders/eventsubscriptions/shop:${operation}?api-version=${version}`,
        { method: "POST", headers, body: '{"lockTokens":["x"]}' },
      );
    expect((await receive("2023-06-01-preview")).status).toBe(400);
    expect((await receive("2023-11-01", "renewLock")).status).toBe(400);
    expect((await receive("2023-11-01", "acknowledge")).status).toBe(200);
  });
});

describe("settling events", () => {
  it("acknowledges once, and answers 200 also if every token fails", async () => {
    const { publish, receive, settle, queue } = await startNamespace();
    await publish();
    const lockToken = tokenOf(await receive());
    expect(await settle("acknowledge", lockToken, "garbage")).toEqual({
      succeededLockTokens: [lockToken],
      failedLockTokens: [
        {
          lockToken: "garbage",
          error: { code: "BadToken", message: "Cannot decode lockToken" },
        },
      ],
    });
    expect(await settle("acknowledge", lockToken)).toEqual({
      succeededLockTokens: [],
      failedLockTokens: [{ lockToken, error: lost }],
    });
    expect(queue.counts).toMatchObject({ waiting: 0, locked: 0, acknowledged: 1 });
  });

  it("delivers an event again when its lock runs out", async () => {
    const { cloud, publish, receive, settle, queue } = await startNamespace();
    await publish();
    const lockToken = tokenOf(await receive());
    await cloud.clock.advance({ seconds: 59 });
    expect(queue.counts).toMatchObject({ locked: 1, waiting: 0 });
    await cloud.clock.advance({ seconds: 1 });
    expect(queue.counts).toMatchObject({ locked: 0, waiting: 1, lockExpired: 1 });
    expect(await settle("acknowledge", lockToken)).toMatchObject({
      failedLockTokens: [{ lockToken, error: lost }],
    });
    expect((await receive())[0]?.brokerProperties.deliveryCount).toBe(2);
  });

  it("renews locks with the same token, for an hour", async () => {
    const { cloud, publish, receive, settle } = await startNamespace({
      receiveLockDurationInSeconds: 300,
    });
    await publish();
    const lockToken = tokenOf(await receive());
    for (let minutes = 0; minutes < 60; minutes += 4) {
      await cloud.clock.advance({ minutes: 4 });
      expect(await settle("renewLock", lockToken)).toMatchObject({
        succeededLockTokens: [lockToken],
      });
    }
    await cloud.clock.advance({ minutes: 4 });
    expect(await settle("renewLock", lockToken)).toMatchObject({
      failedLockTokens: [{ error: lost }],
    });
    expect(await settle("acknowledge", lockToken)).toMatchObject({
      succeededLockTokens: [lockToken],
    });
  });

  it("releases events at once or after one of the service's delays", async () => {
    const { cloud, publish, receive, settle, queue, call } = await startNamespace();
    await publish();
    await settle("release", tokenOf(await receive()));
    const again = await receive();
    expect(again[0]?.brokerProperties.deliveryCount).toBe(2);
    await settle("release?releaseDelayInSeconds=10", tokenOf(again));
    expect(queue.counts).toMatchObject({ waiting: 0, delayed: 1, released: 2 });
    await cloud.clock.advance({ seconds: 10 });
    expect((await receive())[0]?.brokerProperties.deliveryCount).toBe(3);
    const invalid = await call(
      "orders/eventsubscriptions/shop:release?releaseDelayInSeconds=11",
      '{"lockTokens":["x"]}',
    );
    expect(await refusal(invalid)).toMatchObject({ status: 400, code: "ArgumentInvalid" });
  });

  it("refuses a body without tokens", async () => {
    const { call } = await startNamespace();
    for (const body of ["", "{}", '{"lockTokens":[]}', '{"lockTokens":[1]}']) {
      const response = await call("orders/eventsubscriptions/shop:acknowledge", body);
      expect(response.status).toBe(400);
    }
  });
});

describe("an event that leaves the queue unhandled", () => {
  const deadLetter = { container: "dead" };

  it("is dead-lettered or dropped when it is rejected", async () => {
    const { cloud, publish, receive, settle } = await startNamespace({ deadLetter });
    await publish();
    await settle("reject", tokenOf(await receive()));
    expect(cloud.deadLetters()).toMatchObject([
      {
        subscription: "shop",
        event: { id: "1" },
        deadletterreason: "Undeliverable due to client error",
        deliveryattempts: 1,
        blob: expect.stringMatching(/^shop\/orders\/shop\/\d+\/\d+\/\d+\/\d+\/[\da-f-]{36}\.json$/),
      },
    ]);
    const dropping = await startNamespace();
    await dropping.publish();
    await dropping.settle("reject", tokenOf(await dropping.receive()));
    expect(dropping.queue.counts).toMatchObject({ rejected: 1, dropped: 1, waiting: 0 });
    expect(dropping.cloud.deadLetters()).toEqual([]);
  });

  it("has reached its delivery count", async () => {
    const { cloud, publish, receive, queue } = await startNamespace({
      deadLetter,
      maxDeliveryCount: 2,
    });
    await publish();
    await receive();
    await cloud.clock.advance({ minutes: 1 });
    await receive();
    expect(cloud.deadLetters()).toEqual([]);
    await cloud.clock.advance({ minutes: 1 });
    expect(queue.counts).toMatchObject({ waiting: 0, locked: 0, deadLettered: 1 });
    expect(cloud.deadLetters()).toMatchObject([
      {
        deadletterreason: "Maximum delivery attempts was exceeded.",
        lastdeliveryoutcome: "Event was not acknowledged nor rejected.",
        deliveryattempts: 2,
      },
    ]);
  });

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

describe("subscriptions of a topic", () => {
  it("have their own copies, which filters select by attributes", async () => {
    const { topic, publish, queue } = await startNamespace();
    const paid = await topic.subscriptions.create({
      name: "paid",
      filter: {
        includedEventTypes: ["shop.order.paid"],
        filters: [{ key: "subject", operatorType: "StringBeginsWith", values: ["orders/"] }],
      },
    });
    await publish({ subject: "orders/1" });
    await publish({ id: "2", type: "Shop.Order.Paid", subject: "orders/2" });
    await publish({ id: "3", type: "shop.order.paid", subject: "returns/3" });
    expect(queue.counts?.waiting).toBe(3);
    expect((await paid.receive({ maxEvents: 10 })).map(({ event }) => event.id)).toEqual(["2"]);
    expect(queue.counts?.waiting).toBe(3);
  });

  it.each<[string, object, string]>([
    [
      "a filter on the data",
      { filter: { filters: [{ key: "data.a", operatorType: "IsNotNull" }] } },
      "filters of namespace topics read attributes",
    ],
    [
      "a short lock",
      { receiveLockDurationInSeconds: 59 },
      "receiveLockDurationInSeconds must be an integer from 60 to 300, not 59",
    ],
    [
      "a high delivery count",
      { maxDeliveryCount: 11 },
      "maxDeliveryCount must be an integer from 1 to 10, not 11",
    ],
    [
      "a time to live above the retention",
      { eventTimeToLive: "P8D" },
      "from PT1M to the topic's retention of 7 days, not 'P8D'",
    ],
    ["a time to live in seconds", { eventTimeToLive: "PT90S" }, "not 'PT90S'"],
    [
      "a webhook over http",
      { endpointUrl: "http://shop.example.com" },
      "a webhook needs an https URL",
    ],
  ])("refuse %s", async (_, settings, message) => {
    const { topic } = await startNamespace();
    await expect(topic.subscriptions.create({ name: "other", ...settings })).rejects.toThrow(
      message,
    );
  });
});
