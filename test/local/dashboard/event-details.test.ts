import type { LocalCloud } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import type { EventDetails } from "../../../local/src/dashboard/index.js";
import { startShop } from "../support/cloud.js";
import { deadLettersTo } from "../support/dead-letters.js";

/** The details that the dashboard shows of the event with this `id`. */
async function detailsOf(cloud: LocalCloud, id: string): Promise<EventDetails> {
  const response = await fetch(`${cloud.httpOrigin}/local/event?number=${id}`);
  return JSON.parse(await response.text());
}

/** Hours until a retry is due for the twelfth time. */
const ALL_RETRIES = { hours: 48 };

const options = { clock: "real", dashboardToken: false } as const;

describe("the details of an event", () => {
  it("have the body in the schema that was delivered", async () => {
    const { cloud, publish } = await startShop(options, { maxEventsPerBatch: 10 });
    await publish({ id: "a" });
    await cloud.drain();
    const [subscription] = (await detailsOf(cloud, "a")).subscriptions;
    const body = subscription?.attempts[0]?.request?.body ?? "";
    expect(JSON.parse(body)).toMatchObject([{ id: "a" }]);
  });

  it.each([
    [{ includedEventTypes: ["other"] }, "includedEventTypes"],
    [{ subjectEndsWith: ".json" }, 'subjectEndsWith ".json"'],
    [
      {
        advancedFilters: [
          { key: "data.total", operatorType: "NumberGreaterThan" as const, value: 100 },
        ],
      },
      "data.total NumberGreaterThan 100",
    ],
  ])("name the condition of %j that kept the event out", async (filter, reason) => {
    const { cloud, publish } = await startShop(options, { filter });
    await publish({ id: "a", data: { total: 1 } });
    expect((await detailsOf(cloud, "a")).subscriptions).toMatchObject([
      { outcome: "filtered", reason },
    ]);
    expect(cloud.resend("a")).toEqual([]);
    expect(cloud.resend("a", "orders-sub")).toEqual(["orders-sub"]);
    await cloud.drain();
    expect((await detailsOf(cloud, "a")).subscriptions).toMatchObject([{ outcome: "delivered" }]);
  });

  it("stay while events are retried, and for dead letters, however short the history is", async () => {
    const { cloud, webhook, publish } = await startShop(
      { clock: "stepped", dashboardToken: false, history: 20 },
      { retryPolicy: { maxDeliveryAttempts: 12 }, ...deadLettersTo("dead") },
    );
    webhook.answerDeliveries(() => 500);
    for (let id = 0; id < 10; id++) await publish({ id: `e${id}` });
    await cloud.clock.advance({ hours: 3 });
    for (let id = 0; id < 10; id++) {
      const [subscription] = (await detailsOf(cloud, `e${id}`)).subscriptions;
      expect(subscription?.outcome).toBe("retrying");
      const attempts = subscription?.attempts ?? [];
      expect(attempts.map(({ attempt }) => attempt)).toEqual(attempts.map((_, at) => at + 1));
      expect(attempts.length).toBeGreaterThan(6);
      // Old attempts do not keep what takes most memory.
      expect(attempts.filter(({ request }) => request).length).toBe(5);
    }
    await cloud.clock.advance(ALL_RETRIES);
    expect((await detailsOf(cloud, "e9")).subscriptions).toMatchObject([
      { outcome: "deadLettered" },
    ]);
    webhook.answerDeliveries(() => 200);
    for (let id = 0; id < 30; id++) await publish({ id: `later-${id}` });
    await cloud.drain();
    expect((await detailsOf(cloud, "e0")).subscriptions[0]?.attempts).toHaveLength(12);
    expect(await detailsOf(cloud, "later-0")).toMatchObject({ error: { code: "EventNotFound" } });
  });
});
