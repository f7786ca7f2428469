import { describe, expect, it } from "vitest";
import { cloudEvent, publishBatch, startShop } from "../../support/cloud.js";
import { deadLettersTo } from "../../support/dead-letters.js";

describe("output batching", () => {
  const events = (count: number) =>
    Array.from({ length: count }, (_, index) => cloudEvent({ id: String(index) }));

  it("delivers full batches as arrays of the exact event texts", async () => {
    const { cloud, webhook, topic } = await startShop({}, { maxEventsPerBatch: 3 });
    await publishBatch(topic, events(7));
    await cloud.drain();
    const all = events(7);
    expect(webhook.deliveries.map(({ body }) => body).sort()).toEqual([
      JSON.stringify(all.slice(0, 3)),
      JSON.stringify(all.slice(3, 6)),
      JSON.stringify(all.slice(6)),
    ]);
    expect(webhook.deliveries[0]?.headers["content-type"]).toBe(
      "application/cloudevents-batch+json; charset=utf-8",
    );
  });
});

it("delivery properties include secret values, but none that would inject a header", async () => {
  const { cloud, webhook, publish } = await startShop(
    {},
    {
      deliveryAttributeMappings: [
        { type: "Static", name: "X-Key", properties: { value: "s3cret", isSecret: true } },
        { type: "Dynamic", name: "X-Broken", properties: { sourceField: "data.lines" } },
      ],
    },
  );
  await publish({ data: { lines: "a\r\nX-Injected: b" } });
  await cloud.drain();
  const headers = webhook.deliveries[0]?.headers ?? {};
  expect(headers["x-key"]).toBe("s3cret");
  expect(headers).not.toHaveProperty("x-broken");
  expect(headers).not.toHaveProperty("x-injected");
});

it("an endpoint without a response times out after 30 seconds on the cloud's clock, and the event is retried", async () => {
  const { cloud, webhook, publish } = await startShop({ stepTimeoutMs: 1_000 });
  let deliveries = 0;
  webhook.answerDeliveries(() => (deliveries++ === 0 ? new Promise(() => {}) : 200));
  await publish();
  await cloud.clock.advance({ seconds: 29 });
  expect(cloud.deliveries()).toEqual([]);
  await cloud.drain();
  const [first, second] = cloud.deliveries();
  expect(first).toMatchObject({ status: undefined, error: "no response within 30 s" });
  expect(second).toMatchObject({ status: 200 });
  expect(((second?.at ?? 0) - (first?.at ?? 0)) / 1000).toBe(40);
});

describe("an expired subscription", () => {
  it("gets no new events", async () => {
    const expirationTimeUtc = new Date(Date.now() + 3_600_000).toISOString();
    const { cloud, webhook, publish } = await startShop({}, { expirationTimeUtc });
    await publish({ id: "in time" });
    await cloud.clock.advance({ hours: 1 });
    await publish({ id: "too late" });
    await cloud.drain();
    expect(webhook.deliveries.map(({ body }) => JSON.parse(body).id)).toEqual(["in time"]);
  });

  it("gets no retries", async () => {
    const expirationTimeUtc = new Date(Date.now() + 60_000).toISOString();
    const { cloud, webhook, publish } = await startShop({}, { expirationTimeUtc });
    webhook.answerDeliveries(() => 500);
    await publish();
    await cloud.drain();
    expect(
      cloud.deliveries().map(({ attempt, outcome, error }) => [attempt, outcome, error]),
    ).toEqual([
      [1, "retrying", undefined],
      [2, "retrying", undefined],
      [3, "retrying", undefined],
      [undefined, "dropped", "the expiration time of the subscription has passed"],
    ]);
  });
});

describe("the dead-letter directory", () => {
  const STORAGE = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts";

  it.each([
    ["a path as its container", "../../../pwned", `${STORAGE}/acct`],
    ["an upper-case container", "Dead", `${STORAGE}/acct`],
    ["a container of two characters", "de", `${STORAGE}/acct`],
    ["a container with a hyphen at its end", "dead-", `${STORAGE}/acct`],
    ["a path as its account", "dead", `${STORAGE}/..`],
    ["an account with a hyphen", "dead", `${STORAGE}/my-account`],
  ])("refuses a destination with %s", async (_, container, storageAccountId) => {
    await expect(startShop({}, deadLettersTo(container, storageAccountId))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("is invalid"),
    });
  });
});
