import type { LocalCloud } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import type { EventDetails } from "../../../local/src/dashboard/index.js";
import { startShop } from "../support/cloud.js";

/** The details that the dashboard shows of the event with this `id`. */
async function detailsOf(cloud: LocalCloud, id: string): Promise<EventDetails> {
  const response = await fetch(`${cloud.httpOrigin}/local/event?number=${id}`);
  return JSON.parse(await response.text());
}

const options = { clock: "real", dashboardToken: false } as const;

describe("the details of an event", () => {
  it("have the body in the schema that was delivered", async () => {
    const { cloud, publish } = await startShop(options, { batching: { maxEventsPerBatch: 10 } });
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
});
