import { describe, expect, it } from "vitest";
import { anEvent, startService } from "../service.js";

const group = "/subscriptions/9a1f8c1e-6f3e-4d0b-8f0a-2f6f5f0f7f11/resourceGroups/shop";
const account = `${group}/providers/Microsoft.Storage/storageAccounts/uploads`;
const topic = `${group}/providers/Microsoft.EventGrid/topics/orders`;

/** A listener with its warnings. Every delivery comes from the event subscription ORDERS. */
async function start(
  binding: { eventSubscriptionName?: string; scope?: string },
  unexpectedSource?: "accept" | "reject",
) {
  const service = await startService({
    binding,
    logLevel: "warn",
    ...(unexpectedSource && { unexpectedSource }),
  });
  const { log } = service;
  const statusOf = async (source: string, headers: Record<string, string> = {}) =>
    (await service.deliver(anEvent({ source }), { headers })).status;
  return { ...service, log, statusOf };
}

describe("an event of another event subscription than the binding's", () => {
  const message = "event of another event subscription than the binding's";

  it("is handled, with a warning at most once in 10 seconds", async () => {
    const { statusOf, handled, log } = await start({ eventSubscriptionName: "invoices" });
    expect(await statusOf("/shop")).toBe(200);
    expect(await statusOf("/shop")).toBe(200);
    expect(handled).toHaveLength(2);
    expect(log.withMessage(message)).toEqual([
      expect.objectContaining({ expected: "invoices", received: "orders", unlogged: 0 }),
    ]);
  });

  it("is rejected if `unexpectedSource` says so", async () => {
    const { statusOf, handled, log } = await start({ eventSubscriptionName: "invoices" }, "reject");
    expect(await statusOf("/shop")).toBe(400);
    expect(handled).toEqual([]);
    expect(log.withMessage(message)).toHaveLength(1);
  });

  it("is recognised by its name in any case, and never without the header", async () => {
    const { statusOf, handled } = await start({ eventSubscriptionName: "Orders" }, "reject");
    expect(await statusOf("/shop")).toBe(200);
    expect(await statusOf("/shop", { "aeg-subscription-name": "" })).toBe(200);
    expect(handled).toHaveLength(2);
  });
});

describe("an event of another resource than the binding's", () => {
  const message = "event of another resource than the binding's";

  it("is handled, with a warning at most once in 10 seconds", async () => {
    const { statusOf, handled, log } = await start({ scope: account });
    expect(await statusOf(`${account}2`)).toBe(200);
    expect(await statusOf("/shop")).toBe(200);
    expect(handled).toHaveLength(2);
    expect(log.withMessage(message)).toEqual([
      expect.objectContaining({
        event: expect.objectContaining({ source: `${account}2` }),
        expected: account.toLowerCase(),
        unlogged: 0,
      }),
    ]);
  });

  it("is rejected if `unexpectedSource` says so, without losing the others of its batch", async () => {
    const { deliver, ids } = await start({ scope: account }, "reject");
    const good = anEvent({ source: account });
    expect((await deliver([anEvent(), good])).status).toBe(400);
    expect(ids()).toEqual([good.id]);
  });

  it.each([
    ["the resource itself, with or without a slash at the end", `${account}/`, account],
    ["the resource in upper case, as IoT hubs write it", account, account.toUpperCase()],
    ["a resource in the binding's group", group, account],
    ["the group's subscription", group, group.split("/").slice(0, 3).join("/")],
    ["anything at a topic, whose publishers choose it", topic, "/shop"],
    [
      "anything at a system topic",
      `${group}/providers/Microsoft.EventGrid/systemTopics/uploads`,
      account,
    ],
  ])("is not detected when the source is %s", async (_, scope, source) => {
    const { statusOf, handled } = await start({ scope }, "reject");
    expect(await statusOf(source)).toBe(200);
    expect(handled).toHaveLength(1);
  });
});
