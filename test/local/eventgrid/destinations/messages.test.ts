import type { EventDestination } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { cloudEvent, post, publishTo, startCloud } from "../../support/cloud.js";

const GROUP = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers";
const HUB = `${GROUP}/Microsoft.EventHub/namespaces/shop-hubs/eventhubs/orders`;
const ACCOUNT = `${GROUP}/Microsoft.Storage/storageAccounts/shop`;

async function start(destination: EventDestination) {
  const cloud = await startCloud({ clock: "stepped" });
  const topic = cloud.topics.create({ name: "orders" });
  const create = (settings: object = {}) =>
    cloud.eventSubscriptions.create({
      name: "orders-sub",
      scope: topic.id,
      destination,
      ...settings,
    });
  return { cloud, topic, create };
}

describe("a subscription to a queue, a Service Bus topic or an event hub", () => {
  it("keeps messages with their properties", async () => {
    const deliveryAttributeMappings = [
      { type: "Dynamic", name: "PartitionKey", properties: { sourceField: "data.shop" } } as const,
    ];
    const { cloud, topic, create } = await start({
      endpointType: "EventHub",
      properties: { resourceId: HUB, deliveryAttributeMappings },
    });
    await create();
    const event = JSON.stringify(cloudEvent({ id: "17", data: { shop: 1 } }));
    const shop = "12345678901234567890";
    await post(topic, event.replace('"shop":1', `"shop":${shop}`));
    await cloud.drain();
    expect(cloud.messages()).toMatchObject([
      {
        subscription: "orders-sub",
        destinationType: "EventHub",
        destination: HUB,
        event: { id: "17" },
        body: expect.stringContaining(`"data":{"shop":${shop}}`),
        properties: {
          "aeg-event-type": "Notification",
          "aeg-subscription-name": "ORDERS-SUB",
          "aeg-delivery-count": "0",
          PartitionKey: shop,
        },
      },
    ]);
    expect(cloud.handshakes()).toEqual([]);
    expect(cloud.deliveries()).toMatchObject([{ status: 201, outcome: "delivered" }]);
  });

  it("keeps messages of a storage queue, which have no properties", async () => {
    const { cloud, topic, create } = await start({
      endpointType: "StorageQueue",
      properties: { queueName: "orders" },
    });
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

  const hub = { endpointType: "EventHub", properties: { resourceId: HUB } } as const;
  const queue = { endpointType: "StorageQueue", properties: { queueName: "orders" } } as const;

  it.each<[string, EventDestination, object?]>([
    [
      "is invalid for a destination of the type EventHub",
      { ...hub, properties: { resourceId: ACCOUNT } },
    ],
    ["The queue name 'Orders' is invalid", { ...queue, properties: { queueName: "Orders" } }],
    ["needs a storage account", { ...queue, properties: { queueName: "orders", resourceId: HUB } }],
    [
      "positive number of seconds, or -1",
      { ...queue, properties: { queueName: "orders", queueMessageTimeToLiveInSeconds: 0 } },
    ],
    [
      "properties.deliveryAttributeMappings is unknown",
      { ...queue, properties: { queueName: "orders", deliveryAttributeMappings: [] } },
    ],
    ["has properties of its own", hub, { maxEventsPerBatch: 2 }],
    ["has properties of its own", hub, { endpointUrl: "https://orders.example.com" }],
  ])("is refused: %s", async (message, destination, settings = {}) => {
    const { create } = await start(destination);
    await expect(create(settings)).rejects.toThrow(message);
  });
});
