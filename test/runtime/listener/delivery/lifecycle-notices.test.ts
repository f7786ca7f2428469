import { describe, expect, it } from "vitest";
import { CollectingLog } from "../../receiver/service.js";
import { anEvent, startService } from "../service.js";

describe("a lifecycle notice", () => {
  it("needs a token", async () => {
    const { deliver } = await startService();
    const headers = { "aeg-event-type": "SubscriptionDeletion" };
    expect((await deliver("[]", { headers, token: null })).status).toBe(401);
  });

  it("gets 400 if its kind is SubscriptionValidation, because the subscription has the wrong schema", async () => {
    const { deliver } = await startService();
    const headers = { "aeg-event-type": "SubscriptionValidation" };
    expect((await deliver("[]", { headers })).status).toBe(400);
  });

  it("is recognised in any case, gets 200 and is logged", async () => {
    const log = new CollectingLog();
    const { deliver, handled } = await startService({ logger: log });
    const kinds = ["SubscriptionDeletion", "subscriptiondeletion", "UNSUBSCRIBE"];
    for (const kind of kinds) {
      const response = await deliver(anEvent(), { headers: { "aeg-event-type": kind } });
      expect(response.status).toBe(200);
    }
    expect(log.withMessage("subscription ended")).toMatchObject(
      kinds.map((kind) => ({ kind, subscription: "ORDERS" })),
    );
    expect(handled).toEqual([]);
  });

  it("is a delivery of events if its kind is another one", async () => {
    const { deliver, handled } = await startService();
    const headers = { "aeg-event-type": "Something" };
    expect((await deliver(anEvent(), { headers })).status).toBe(200);
    expect(handled).toHaveLength(1);
  });
});
