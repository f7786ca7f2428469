import type { MessageDestination } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { publishTo, startCloud } from "../../support/cloud.js";

const GROUP = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers";
const BUS = `${GROUP}/Microsoft.ServiceBus/namespaces/shop-bus`;
const HUB = `${GROUP}/Microsoft.EventHub/namespaces/shop-hubs/eventhubs/orders`;
const ACCOUNT = `${GROUP}/Microsoft.Storage/storageAccounts/shop`;

async function start(destination: MessageDestination, subscription: object = {}) {
  const cloud = await startCloud({ clock: "stepped" });
  const topic = cloud.topics.create({ name: "orders" });
  const create = (settings: object = {}) =>
    cloud.eventSubscriptions.create({
      name: "orders-sub",
      scope: topic.id,
      destination,
      ...subscription,
      ...settings,
    });
  return { cloud, topic, create };
}

describe("a subscription to a queue, a Service Bus topic or an event hub", () => {
  it.each<MessageDestination>([
    { type: "ServiceBusQueue", resourceId: `${BUS}/queues/orders` },
    { type: "ServiceBusTopic", resourceId: `${BUS}/topics/orders` },
    { type: "EventHub", resourceId: HUB },
  ])("keeps messages with their properties, for example $type", async (destination) => {
    const { cloud, topic, create } = await start(destination, {
      deliveryProperties: [{ type: "dynamic", name: "PartitionKey", sourceField: "data.shop" }],
    });
    await create();
    await publishTo(topic, { id: "17", data: { shop: "bern" } });
    await cloud.drain();
    expect(cloud.messages()).toMatchObject([
      {
        subscription: "orders-sub",
        destinationType: destination.type,
        destination: "resourceId" in destination && destination.resourceId,
        event: { id: "17" },
        body: expect.stringContaining('"data":{"shop":"bern"}'),
        properties: {
          "aeg-event-type": "Notification",
          "aeg-subscription-name": "ORDERS-SUB",
          "aeg-delivery-count": "0",
          PartitionKey: "bern",
        },
      },
    ]);
    expect(cloud.handshakes()).toEqual([]);
    expect(cloud.deliveries()).toMatchObject([{ status: 201, outcome: "delivered" }]);
  });

  it("keeps messages of a storage queue, which have no properties", async () => {
    const { cloud, topic, create } = await start({ type: "StorageQueue", queue: "orders" });
    await create();
    await publishTo(topic, { id: "17" });
    await cloud.drain();
    expect(cloud.messages()).toMatchObject([
      { destination: expect.stringMatching(/\/queueServices\/default\/queues\/orders$/) },
    ]);
    expect(cloud.messages()[0]?.properties).toEqual({});
    await cloud.reset();
    expect(cloud.messages()).toEqual([]);
  });

  it("retries after a 401, which a role that takes effect later mends", async () => {
    const { cloud, topic, create } = await start({ type: "EventHub", resourceId: HUB });
    await create();
    cloud.faults.deliveries({ status: 401, times: 1 });
    await publishTo(topic);
    await cloud.clock.advance({ seconds: 299 });
    expect(cloud.messages()).toEqual([]);
    await cloud.drain();
    expect(cloud.messages()).toMatchObject([{ properties: { "aeg-delivery-count": "1" } }]);
  });

  const hub = { type: "EventHub", resourceId: HUB } as const;
  const queue = { type: "StorageQueue", queue: "orders" } as const;
  const deliveryProperties = [{ type: "static", name: "a", value: "b" }];

  it.each<[string, MessageDestination, object?]>([
    ["is invalid for a destination of the type EventHub", { ...hub, resourceId: ACCOUNT }],
    ["The queue name 'Orders' is invalid", { ...queue, queue: "Orders" }],
    ["needs a storage account", { ...queue, storageAccountId: HUB }],
    ["positive number of seconds, or -1", { ...queue, messageTimeToLiveInSeconds: 0 }],
    ["Delivery properties are not supported", queue, { deliveryProperties }],
    ["Batches are for webhooks and functions", hub, { batching: { maxEventsPerBatch: 2 } }],
    [
      "An endpoint URL and an application are for webhooks",
      hub,
      { endpointUrl: "https://orders.example.com" },
    ],
  ])("is refused: %s", async (message, destination, settings = {}) => {
    const { create } = await start(destination);
    await expect(create(settings)).rejects.toThrow(message);
  });
});
