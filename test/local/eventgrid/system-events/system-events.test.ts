import { eventTypesByResourceType } from "cloud-eventgrid-binding-runtime/events";
import { type SystemEventType, systemEventTypes } from "cloud-eventgrid-local";
import { describe, expect, expectTypeOf, it } from "vitest";
import { GROUP, publishTo, startCloud, startWebhook } from "../../support/cloud.js";

const BLOB_CREATED = "Microsoft.Storage.BlobCreated";
const STORAGE = `${GROUP}/providers/Microsoft.Storage/storageAccounts/acct`;

async function startListening(...scopes: string[]) {
  const webhook = await startWebhook();
  const cloud = await startCloud({ ingress: { "https://hook.example.com": webhook.url } });
  for (const [index, scope] of scopes.entries()) {
    const endpointUrl = `https://hook.example.com/${index}`;
    await cloud.eventSubscriptions.create({ name: `sub-${index}`, scope, endpointUrl });
  }
  return { cloud, webhook };
}

/** An event of a cloud that has nothing else. */
async function emitted(
  type: SystemEventType,
  options: { scope: string; [field: string]: unknown },
) {
  const cloud = await startCloud();
  return JSON.parse((await cloud.emit(type, options)).json);
}

/** The scope of a type, by the runtime's table of what each type of resource raises. */
function scopeOf(type: string): string {
  const kinds = Object.entries(eventTypesByResourceType);
  const kind = kinds.find(([, types]) => types.includes(type))?.[0];
  return kind === undefined ? GROUP : `${GROUP}/providers/${kind}/mine`;
}

it("system events have an envelope and data for every type", async () => {
  const cloud = await startCloud();
  for (const type of systemEventTypes) {
    const scope = scopeOf(type);
    const { json } = await cloud.emit(type, { scope });
    const event = JSON.parse(json);
    expect(event).toMatchObject({
      specversion: "1.0",
      type,
      id: expect.stringMatching(/^[-0-9a-f]{36}$/),
      subject: expect.any(String),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(event.source.toLowerCase()).toBe(scope.toLowerCase());
    expect(Object.keys(event.data).length, type).toBeGreaterThan(0);
    expect(json).not.toMatch(/\{\w+\}|"example"/);
  }
  expectTypeOf<SystemEventType>().not.toEqualTypeOf<string>();
});

describe("the content of a system event", () => {
  const providers = `${GROUP}/providers`;

  it.each([
    [
      "Microsoft.Storage.BlobCreated",
      "Microsoft.Storage/storageAccounts/acct",
      "/blobServices/default/containers/in/blobs/a b/17.json",
      { url: "https://acct.blob.core.windows.net/in/a%20b/17.json" },
    ],
    [
      "Microsoft.Storage.BlobRenamed",
      "Microsoft.Storage/storageAccounts/acct",
      "/blobServices/default/containers/in/blobs/new.json",
      {
        sourceUrl: "https://acct.dfs.core.windows.net/in/orders/17.json",
        destinationUrl: "https://acct.dfs.core.windows.net/in/new.json",
      },
    ],
    [
      "Microsoft.Cache.ScalingCompleted",
      "Microsoft.Cache/Redis/cache",
      "Scaled",
      { name: "Scaled" },
    ],
    [
      "Microsoft.Devices.DeviceConnected",
      "Microsoft.Devices/IotHubs/hub",
      "devices/thermometer",
      { hubName: "hub", deviceId: "thermometer" },
    ],
    [
      "Microsoft.EventHub.CaptureFileCreated",
      "Microsoft.EventHub/namespaces/ns",
      "eventhubs/returns",
      { fileUrl: expect.stringContaining("/capture/ns/returns/1/") },
    ],
    [
      "Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners",
      "Microsoft.ServiceBus/namespaces/ns",
      "queues/returns",
      {
        queueName: "returns",
        topicName: null,
        entityType: "queue",
        requestUri: "https://ns.servicebus.windows.net/returns/messages/head",
      },
    ],
    [
      "Microsoft.SignalRService.ClientConnectionConnected",
      "Microsoft.SignalRService/SignalR/s1",
      "/hub/news",
      { hubName: "news" },
    ],
  ] as const)(
    "names in the data of %s what its subject names",
    async (type, resource, subject, data) => {
      const scope = `${providers}/${resource}`;
      expect(await emitted(type, { scope, subject })).toMatchObject({ subject, data });
    },
  );

  it("has another eTag and a larger sequencer for each event of a blob", async () => {
    const cloud = await startCloud();
    const emit = async () => JSON.parse((await cloud.emit(BLOB_CREATED, { scope: STORAGE })).json);
    const [first, second] = [(await emit()).data, (await emit()).data];
    expect(second.eTag).not.toBe(first.eTag);
    expect(second.sequencer.length).toBe(first.sequencer.length);
    expect(second.sequencer > first.sequencer).toBe(true);
  });

  it("is the caller's data for a type without a sample", async () => {
    const scope = `${providers}/Microsoft.Fabric/capacities/c1`;
    const type = "Microsoft.Fabric.CapacityPaused";
    const content = { subject: "c1", data: { capacity: "c1" } };
    const { json } = await (await startCloud()).emit(type, { scope, ...content });
    expect(JSON.parse(json)).toMatchObject({ type, source: scope, ...content });
  });

  it("names the resource and the time of the event in a sample of the SDK", async () => {
    const service = `${providers}/Microsoft.ApiManagement/service/apis`;
    const created = await emitted("Microsoft.ApiManagement.ProductCreated", { scope: service });
    expect(created).toMatchObject({
      subject: "/products/shop",
      data: { resourceUri: `${service}/products/shop` },
    });
    const scope = `${providers}/Microsoft.KeyVault/vaults/keys`;
    const expired = await emitted("Microsoft.KeyVault.SecretExpired", { scope });
    expect(expired.data).toMatchObject({ VaultName: "keys", ObjectType: "Secret" });
    const written = await emitted("Microsoft.Resources.ResourceDeleteFailure", { scope: GROUP });
    expect(written).toMatchObject({
      source: GROUP,
      data: { status: "Failed", httpRequest: { method: "DELETE" } },
    });
  });

  it("combines sample data of a blob with the caller's fields", async () => {
    const subject = "/blobServices/default/containers/in/blobs/a.txt";
    const data = { contentType: "text/plain", url: "https://acct.blob.core.windows.net/in/a.txt" };
    expect(await emitted(BLOB_CREATED, { scope: STORAGE, subject, data })).toMatchObject({
      source: STORAGE,
      subject,
      data: {
        ...data,
        api: "PutBlockList",
        blobType: "BlockBlob",
        contentLength: 524288,
        storageDiagnostics: { batchId: expect.any(String) },
      },
    });
  });

  it("has the ID of an IoT hub in upper case", async () => {
    const scope = `${GROUP}/providers/Microsoft.Devices/IotHubs/hub1`;
    const { cloud, webhook } = await startListening(scope);
    await cloud.emit("Microsoft.Devices.DeviceTelemetry", { scope });
    await cloud.drain();
    expect(JSON.parse(webhook.deliveries[0]?.body ?? "")).toMatchObject({
      source: scope.toUpperCase(),
      subject: "devices/device-1",
      data: { body: { temperature: 21 } },
    });
  });
});

it.each([
  ["EventGridSchema", "eventType"],
  ["CloudEventSchemaV1_0", "type"],
] as const)(
  "a system event in %s has its attributes in dynamic delivery properties",
  async (eventDeliverySchema, sourceField) => {
    const cloud = await startCloud();
    await cloud.eventSubscriptions.create({
      name: "uploads",
      scope: STORAGE,
      eventDeliverySchema,
      destination: {
        endpointType: "ServiceBusQueue",
        properties: {
          resourceId: `${GROUP}/providers/Microsoft.ServiceBus/namespaces/bus/queues/uploads`,
          deliveryAttributeMappings: [
            { type: "Dynamic", name: "Label", properties: { sourceField } },
          ],
        },
      },
    });
    await cloud.emit(BLOB_CREATED, { scope: STORAGE });
    await cloud.drain();
    expect(cloud.messages()).toMatchObject([{ properties: { Label: BLOB_CREATED } }]);
  },
);

describe("system events by scope", () => {
  it.each([
    ["a resource reach subscriptions at the resource only", BLOB_CREATED, STORAGE, ["/2"]],
    [
      "a resource group also reach its Azure subscription",
      "Microsoft.Resources.ResourceWriteSuccess",
      GROUP,
      ["/0", "/1"],
    ],
  ] as const)("of %s", async (_, type, scope, paths) => {
    const { cloud, webhook } = await startListening(
      "/subscriptions/22222222-2222-4222-8222-222222222222/",
      GROUP.replace("shop", "SHOP"),
      STORAGE.toLowerCase().replace("/resourcegroups/", "/resourceGroups/"),
      `${STORAGE}2`,
      GROUP.replace("shop", "other"),
    );
    await cloud.emit(type, { scope });
    await cloud.drain();
    expect(webhook.deliveries.map(({ path }) => path).sort()).toEqual(paths);
  });

  it("do not include events of custom topics", async () => {
    const { cloud, webhook } = await startListening(GROUP);
    const topic = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
    await publishTo(topic);
    await cloud.drain();
    expect(webhook.deliveries).toEqual([]);
  });
});

it.each([
  ["Microsoft.Edge.SolutionVersionPublished", "Microsoft.Edge/contexts/shop"],
  ["Microsoft.EventGrid.SubscriptionDeletedEvent", "Microsoft.EventGrid/topics/orders"],
] as const)("%s can come from a resource, %s", async (type, resource) => {
  const scope = `${GROUP}/providers/${resource}`;
  expect(await emitted(type, { scope })).toMatchObject({ source: scope });
});

describe("an invalid system event", () => {
  it("is refused if its subject does not say what the data would have to name", async () => {
    const subject = "orders/17";
    await expect(emitted(BLOB_CREATED, { scope: STORAGE, subject })).rejects.toThrow(
      "The subject 'orders/17' does not fit Microsoft.Storage.BlobCreated",
    );
  });

  it("is refused for an unknown type without data, or another resource type", async () => {
    const unknown: SystemEventType = JSON.parse('"Microsoft.Storage.BlobEaten"');
    await expect(emitted(unknown, { scope: STORAGE })).rejects.toThrow(
      "There is no sample of the system event 'Microsoft.Storage.BlobEaten'. Pass all its data.",
    );
    await expect(
      emitted("Microsoft.Cache.PatchingCompleted", { scope: STORAGE }),
    ).rejects.toMatchObject({ code: "ERR_SYSTEM_EVENT" });
    await expect(
      emitted("Microsoft.Resources.ResourceWriteSuccess", { scope: STORAGE }),
    ).rejects.toThrow("comes from an Azure subscription or a resource group");
    await expect(
      emitted(BLOB_CREATED, { scope: STORAGE.replace("2222-4", "9999-4") }),
    ).rejects.toMatchObject({ serviceCode: "SubscriptionNotFound" });
  });
});
