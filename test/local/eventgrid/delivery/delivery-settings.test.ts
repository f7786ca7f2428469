import { describe, expect, it } from "vitest";
import { startShop } from "../../support/cloud.js";
import { deadLettersTo } from "../../support/dead-letters.js";

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
