import type { LocalCloudOptions } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { startFunctionsHost } from "../../eventgrid/destinations/functions-host.js";
import { create, startCloud } from "../../support/cloud.js";
import { finished, signIn } from "../../support/management-client.js";

const PROVIDERS =
  "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers";
const QUEUE = `${PROVIDERS}/Microsoft.ServiceBus/namespaces/shop-bus/queues/orders`;
const ACCOUNT = `${PROVIDERS}/Microsoft.Storage/storageAccounts/shop`;

async function start(options: LocalCloudOptions = {}) {
  const cloud = await startCloud({ ...options, control: { eventGridRegistered: true } });
  const topic = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
  const path = `${topic.id}/providers/Microsoft.EventGrid/eventSubscriptions/orders-sub`;
  return { cloud, call: await signIn(cloud), path };
}

const partitionKey = {
  name: "PartitionKey",
  type: "Dynamic",
  properties: { sourceField: "data.shop" },
};

describe("a destination other than a webhook", () => {
  it.each([
    [
      "StorageQueue",
      {
        resourceId: ACCOUNT,
        queueName: "orders",
        queueMessageTimeToLiveInSeconds: 300,
      },
    ],
    ["ServiceBusQueue", { resourceId: QUEUE, deliveryAttributeMappings: [partitionKey] }],
    ["ServiceBusTopic", { resourceId: QUEUE.replace("queues", "topics") }],
    [
      "EventHub",
      { resourceId: `${PROVIDERS}/Microsoft.EventHub/namespaces/shop-hubs/eventhubs/orders` },
    ],
  ])("is returned as it was written: %s", async (endpointType, properties) => {
    const { cloud, call, path } = await start();
    await create(call, properties.resourceId);
    const destination = { endpointType, properties };
    const written = await call("PUT", path, {
      properties: { destination, eventDeliverySchema: "CloudEventSchemaV1_0" },
    });
    expect(written.status).toBe(201);
    expect(await finished(call, written)).toMatchObject({ status: "Succeeded" });
    const { body } = await call("GET", path);
    expect(Object(body).properties).toMatchObject({ destination, provisioningState: "Succeeded" });
    expect(Object(body).properties.destination).toEqual(destination);
    expect(cloud.handshakes()).toEqual([]);
  });

  it("is a function with the batch settings of webhooks, and their defaults", async () => {
    const host = await startFunctionsHost("Ship");
    const { call, path } = await start({ functionApps: { shop: host.url } });
    const resourceId = `${PROVIDERS}/Microsoft.Web/sites/shop/functions/Ship`;
    const write = async (properties: object) => {
      const destination = { endpointType: "AzureFunction", properties };
      await finished(call, await call("PUT", path, { properties: { destination } }));
      return Object((await call("GET", path)).body).properties.destination.properties;
    };
    const defaults = { maxEventsPerBatch: 1, preferredBatchSizeInKilobytes: 64 };
    expect(await write({ resourceId })).toEqual({ resourceId, ...defaults });
    const batches = { maxEventsPerBatch: 10, preferredBatchSizeInKilobytes: 256 };
    expect(await write({ resourceId, ...batches })).toEqual({ resourceId, ...batches });
    expect((await call("POST", `${path}/getFullUrl`)).status).toBe(400);
  });

  it("is changed and checked by a PATCH", async () => {
    const { cloud, call, path } = await start();
    const destination = { endpointType: "ServiceBusQueue", properties: { resourceId: QUEUE } };
    await finished(call, await call("PUT", path, { properties: { destination } }));
    const other = { ...destination, endpointType: "ServiceBusTopic" };
    expect((await call("PATCH", path, { destination: other })).status).toBe(400);
    other.properties = { resourceId: QUEUE.replace("queues", "topics") };
    await finished(call, await call("PATCH", path, { destination: other }));
    expect(cloud.eventSubscriptions.list()[0]?.settings.destination).toEqual(other);
  });
});
