import type { LocalCloud } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { cloudEvent, publishBatch, startHooked } from "../../support/cloud.js";

const PER_REQUEST = 100;
const ORIGIN = "https://orders.example.com";

const eventsFrom = (first: number, source: string) =>
  Array.from({ length: PER_REQUEST }, (_, index) =>
    cloudEvent({ id: String(first + index), source }),
  );

/** Counts what arrives by path and event, and the most requests at once. */
async function start() {
  const { cloud, webhook } = await startHooked();
  const arrived = new Map<string, number>();
  let atOnce = 0;
  let most = 0;
  webhook.answerDeliveries(async ({ path, body }) => {
    most = Math.max(most, ++atOnce);
    webhook.requests.length = 0;
    const key = `${path} ${JSON.parse(body).id}`;
    arrived.set(key, (arrived.get(key) ?? 0) + 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    atOnce--;
    return 200;
  });
  return { cloud, arrived, most: () => most };
}

const subscribe = async (cloud: LocalCloud, scopes: readonly string[]) => {
  for (const [index, scope] of scopes.entries()) {
    const endpointUrl = `${ORIGIN}/${index}`;
    await cloud.eventSubscriptions.create({ name: `load-${index}`, scope, endpointUrl });
  }
};

describe("100,000 deliveries arrive once each, without a failed attempt", () => {
  it.each([
    [1, 100_000, 16],
    [500, 200, 32],
  ])(
    "%i subscriptions × %i events",
    async (subscriptions, events, bound) => {
      const { cloud, arrived, most } = await start();
      const topic = cloud.topics.create({ name: "orders" });
      await subscribe(cloud, Array(subscriptions).fill(topic.id));
      for (let from = 0; from < events; from += PER_REQUEST) {
        await publishBatch(topic, eventsFrom(from, "/shop"));
      }
      await cloud.drain();
      expect(arrived.size).toBe(100_000);
      expect([...arrived.values()].every((times) => times === 1)).toBe(true);
      expect(cloud.deliveries().every(({ outcome }) => outcome === "delivered")).toBe(true);
      expect(most()).toBe(bound);
    },
    600_000,
  );

  it("50 topics of a domain × 2,000 events", async () => {
    const { cloud, arrived, most } = await start();
    const domain = cloud.domains.create({ name: "shops" });
    const topics = Array.from({ length: 50 }, (_, index) => `shop-${index}`);
    await subscribe(
      cloud,
      topics.map((topic) => `${domain.id}/topics/${topic}`),
    );
    for (let from = 0; from < 2_000; from += PER_REQUEST) {
      for (const topic of topics) await publishBatch(domain, eventsFrom(from, topic));
    }
    await cloud.drain();
    expect(arrived.size).toBe(100_000);
    expect([...arrived.values()].every((times) => times === 1)).toBe(true);
    expect(most()).toBe(32);
  }, 600_000);
});
