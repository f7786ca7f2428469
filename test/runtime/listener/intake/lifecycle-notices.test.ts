import type { SubscriptionEnd } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { gate } from "../../../support/gate.js";
import { ManualClock } from "../../../support/manual-clock.js";
import { anEvent, startService } from "../service.js";

describe("a lifecycle notice", () => {
  it("gets 503 when onSubscriptionEnd throws", async () => {
    const { deliver } = await startService({
      onSubscriptionEnd: async () => {
        throw new Error("no");
      },
    });
    const headers = { "aeg-event-type": "SubscriptionDeletion" };
    expect((await deliver("[]", { headers })).status).toBe(503);
  });

  it("gets 503 when onSubscriptionEnd times out", async () => {
    const { deliver } = await startService({
      deadlineMs: 50,
      onSubscriptionEnd: () => new Promise(() => {}),
    });
    const headers = { "aeg-event-type": "SubscriptionDeletion" };
    expect((await deliver("[]", { headers })).status).toBe(503);
  });

  it("needs a token", async () => {
    const ends: SubscriptionEnd[] = [];
    const { deliver } = await startService({ onSubscriptionEnd: (end) => void ends.push(end) });
    const headers = { "aeg-event-type": "SubscriptionDeletion" };
    expect((await deliver("[]", { headers, token: null })).status).toBe(401);
    expect(ends).toEqual([]);
  });

  it("gets 400 if its kind is SubscriptionValidation, because the subscription has the wrong schema", async () => {
    const { deliver } = await startService();
    const headers = { "aeg-event-type": "SubscriptionValidation" };
    expect((await deliver("[]", { headers })).status).toBe(400);
  });

  it("is recognised in any case, gets 200 and is reported", async () => {
    const ends: SubscriptionEnd[] = [];
    const { deliver, handled } = await startService({
      onSubscriptionEnd: (end) => void ends.push(end),
    });
    for (const kind of ["SubscriptionDeletion", "subscriptiondeletion", "UNSUBSCRIBE"]) {
      const response = await deliver(anEvent(), { headers: { "aeg-event-type": kind } });
      expect(response.status).toBe(200);
    }
    const deleted = { kind: "SubscriptionDeletion", subscriptionName: "ORDERS" };
    expect(ends).toMatchObject([deleted, deleted, { kind: "Unsubscribe" }]);
    expect(handled).toEqual([]);
  });

  it("takes capacity until onSubscriptionEnd has ended", async () => {
    const slow = gate();
    let running = 0;
    const timer = new ManualClock();
    const { deliver } = await startService({
      timer,
      limits: { concurrentRequests: 2 },
      onSubscriptionEnd: async () => {
        running += 1;
        await slow.passed;
      },
    });
    const headers = { "aeg-event-type": "Unsubscribe" };
    const notices = Array.from({ length: 10 }, () => deliver("[]", { headers }));
    await expect.poll(() => running).toBe(2);
    const answers = Promise.all(notices);
    await timer.advanceUntil(answers, 25_000);
    for (const { status } of await answers) expect(status).toBe(503);
    expect(running).toBe(2);
    expect((await deliver(anEvent())).status).toBe(503);
    slow.open();
    await expect.poll(async () => (await deliver(anEvent())).status).toBe(200);
  });

  it("is a delivery of events if its kind is another one", async () => {
    const { deliver, handled } = await startService();
    const headers = { "aeg-event-type": "Something" };
    expect((await deliver(anEvent(), { headers })).status).toBe(200);
    expect(handled).toHaveLength(1);
  });
});
