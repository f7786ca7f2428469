import { describe, expect, it } from "vitest";
import { cloudEvent, PUBLIC_URL, startCloud, startShop } from "../support/cloud.js";

describe("the target of a replayed event", () => {
  it("is the topic that its source names, in any Azure subscription", async () => {
    const { cloud } = await startShop();
    cloud.topics.create({ name: "returns" });
    const source =
      "/subscriptions/1/resourceGroups/prod/providers/Microsoft.EventGrid/topics/Returns";
    const { events } = await cloud.replay([cloudEvent({ source })]);
    expect(events).toMatchObject([{ topic: "returns", deliveries: [] }]);
  });

  it("is the only topic, and must be chosen if there are several", async () => {
    const { cloud } = await startShop();
    expect((await cloud.replay([cloudEvent()])).events[0]?.topic).toBe("orders");
    cloud.topics.create({ name: "returns" });
    await expect(cloud.replay([cloudEvent()])).rejects.toThrow(
      "The recording does not say which topic gets its events, for example that of events, index 0. Choose a topic (orders, returns), or an event subscription.",
    );
    // A namespace is no topic, whatever it is called.
    const source = `${cloud.topics.list()[0]?.id}`.replace("/topics/", "/namespaces/");
    await expect(cloud.replay([cloudEvent({ source })])).rejects.toThrow(
      "does not say which topic",
    );
    await expect(cloud.replay([cloudEvent()], { topic: "orderz" })).rejects.toThrow(
      "There is no topic, domain or namespace topic 'orderz'.",
    );
    const { events } = await cloud.replay([cloudEvent()], { topic: "returns" });
    expect(events[0]?.topic).toBe("returns");
  });

  it("is one event subscription, whether or not its filter matches", async () => {
    const { cloud } = await startShop({}, { filter: { subjectBeginsWith: "parcels/" } });
    const { events } = await cloud.replay([cloudEvent()], { subscription: "orders-sub" });
    expect(events[0]?.deliveries).toMatchObject([{ outcome: "delivered", status: 200 }]);
    await expect(cloud.replay([cloudEvent()], { subscription: "other" })).rejects.toThrow(
      "There is no event subscription 'other' that gets events.",
    );
  });

  it("is the source of an event of an Azure service, in the subscription of the cloud", async () => {
    const { cloud, webhook } = await startShop();
    const account = "resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/orders";
    await cloud.eventSubscriptions.create({
      name: "blobs",
      scope: `/subscriptions/${cloud.subscriptionId}/${account}`,
      endpointUrl: PUBLIC_URL,
    });
    const source = `/subscriptions/b1b1/${account}`;
    const event = cloudEvent({ source, type: "Microsoft.Storage.BlobCreated" });
    const { events } = await cloud.replay([event]);
    expect(events).toMatchObject([
      { topic: undefined, deliveries: [{ subscription: "blobs", outcome: "delivered" }] },
    ]);
    expect(JSON.parse(webhook.deliveries[0]?.body ?? "")).toMatchObject({ source });
  });

  it("is the topic of a domain", async () => {
    const { cloud } = await startShop();
    const domain = cloud.domains.create({ name: "shop" });
    await cloud.eventSubscriptions.create({
      name: "returns",
      scope: `${domain.id}/topics/returns`,
      endpointUrl: PUBLIC_URL,
    });
    const { events } = await cloud.replay([cloudEvent({ source: "returns" })], { topic: "shop" });
    expect(events[0]?.deliveries).toMatchObject([{ subscription: "returns" }]);
  });

  it("is the topic of a namespace, whose receivers get the event", async () => {
    const cloud = await startCloud({ clock: "stepped" });
    const namespace = cloud.namespaces.create({ name: "shop" });
    const topic = namespace.topics.create({ name: "orders" });
    const queue = await topic.subscriptions.create({ name: "warehouse" });
    const { events, skipped } = await cloud.replay([
      cloudEvent({ data: {} }),
      cloudEvent({ id: "2" }),
    ]);
    expect(skipped).toEqual([
      { place: "events, index 1", problem: "'data' attribute is required" },
    ]);
    expect(events[0]?.deliveries).toMatchObject([{ outcome: "pending" }]);
    expect((await queue.receive()).map(({ event }) => event.id)).toEqual(["1"]);
  });
});
