import type { EventDestination } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { GROUP, publishTo, startGroup } from "../../support/cloud.js";
import { deadLettersTo } from "../../support/dead-letters.js";

const BUS = `${GROUP}/providers/Microsoft.ServiceBus/namespaces/shop-bus`;
const HUBS = `${GROUP}/providers/Microsoft.EventHub/namespaces/shop-hubs`;
const KB = 1024;

const to = (endpointType: EventDestination["endpointType"], resourceId: string) => ({
  endpointType,
  properties: { resourceId },
});
const queue = to("ServiceBusQueue", `${BUS}/queues/orders`);
const topic = to("ServiceBusTopic", `${BUS}/topics/orders`);
const hub = to("EventHub", `${HUBS}/eventhubs/orders`);

interface Case {
  readonly destination: EventDestination;
  readonly tier?: string;
  readonly maxMessageSizeInKilobytes?: number;
  readonly kilobytes: number;
}

describe("a message", () => {
  it.each<[string, Case]>([
    [
      "storage queue",
      {
        destination: { endpointType: "StorageQueue", properties: { queueName: "orders" } },
        kilobytes: 48,
      },
    ],
    ["Service Bus queue that is not known", { destination: queue, kilobytes: 256 }],
    ["Standard Service Bus topic", { destination: topic, tier: "Standard", kilobytes: 256 }],
    ["Premium Service Bus queue", { destination: queue, tier: "Premium", kilobytes: 1024 }],
    ["Basic event hub", { destination: hub, tier: "Basic", kilobytes: 256 }],
    ["Standard event hub", { destination: hub, tier: "Standard", kilobytes: 1024 }],
  ])("is dead-lettered when it is larger than a %s takes", async (_, { kilobytes, ...given }) => {
    const { cloud, sendBytes } = await start(given);
    await sendBytes(kilobytes * KB);
    expect(cloud.deliveries()).toMatchObject([{ outcome: "delivered" }, { outcome: "delivered" }]);
    await sendBytes(kilobytes * KB + 1);
    expect(cloud.messages()).toHaveLength(2);
    expect(cloud.deadLetters()).toMatchObject([
      {
        deadletterreason: "UndeliverableDueToHttpPayloadTooLarge",
        deliveryattempts: 1,
        lastdeliveryoutcome: "PayloadTooLarge",
      },
    ]);
    expect(cloud.deliveries()[2]?.response?.body.text).toContain(`at most ${kilobytes * KB} bytes`);
  });

  it("may be larger in a Premium queue whose limit is raised", async () => {
    const maxMessageSizeInKilobytes = 2048;
    const { cloud, sendBytes } = await start({
      destination: queue,
      tier: "Premium",
      maxMessageSizeInKilobytes,
    });
    await sendBytes(1024 * KB + 1);
    expect(cloud.messages()).toHaveLength(2);
  });
});

describe("what Resource Manager has", () => {
  const session = {
    type: "Dynamic",
    name: "SessionId",
    properties: { sourceField: "subject" },
  } as const;

  const sessions = { requiresSession: true };
  it.each([
    ["a queue with sessions", queue, sessions, [], ["SessionQueueNotSupported"]],
    ["a queue with sessions that get one", queue, sessions, [session], []],
    ["a disabled queue", queue, { status: "Disabled" }, [], ["Disabled"]],
    ["a topic that takes nothing", topic, { status: "SendDisabled" }, [], ["Disabled"]],
    ["an event hub that takes nothing", hub, { status: "senddisabled" }, [], ["Disabled"]],
    ["an event hub that nobody reads", hub, { status: "ReceiveDisabled" }, [], []],
  ])("decides whether %s takes a message", async (_, to, properties, mappings, outcomes) => {
    const { cloud, call } = await startGroup();
    for (const namespace of [BUS, HUBS]) {
      await call("PUT", namespace, { location: "westeurope", sku: { name: "Standard" } });
    }
    await call("PUT", to.properties.resourceId, { properties });
    const orders = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
    await cloud.eventSubscriptions.create({
      name: "sub",
      scope: orders.id,
      destination: {
        ...to,
        properties: { ...to.properties, deliveryAttributeMappings: mappings },
      },
      ...deadLettersTo("dead"),
      retryPolicy: { maxDeliveryAttempts: 1 },
    });
    await publishTo(orders, { subject: "orders/17" });
    await cloud.drain();
    expect(cloud.deadLetters().map((each) => each.lastdeliveryoutcome)).toEqual(outcomes);
  });
});

/** Sends a small message, and then others of exactly so many bytes, with their properties. */
async function start({ destination, tier, maxMessageSizeInKilobytes }: Omit<Case, "kilobytes">) {
  const { cloud, call } = await startGroup();
  const { resourceId = "" } = destination.properties;
  if (tier !== undefined) {
    const namespace = resourceId.split("/").slice(0, -2).join("/");
    await call("PUT", namespace, { location: "westeurope", sku: { name: tier } });
    await call("PUT", resourceId, { properties: { maxMessageSizeInKilobytes } });
  }
  const orders = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
  await cloud.eventSubscriptions.create({
    name: "sub",
    scope: orders.id,
    destination,
    ...deadLettersTo("dead"),
  });
  const send = async (padding: number) => {
    const response = await publishTo(orders, { data: "x".repeat(padding) });
    expect(response.status).toBe(200);
    await cloud.drain();
  };
  await send(0);
  const [{ body, properties } = { body: "", properties: {} }] = cloud.messages();
  const overhead = body.length + Object.entries(properties).flat().join("").length;
  return { cloud, sendBytes: (bytes: number) => send(bytes - overhead) };
}
