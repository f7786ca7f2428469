import { describe, expect, it } from "vitest";
import { PUBLIC_URL, startCloud, startWebhook } from "../../support/cloud.js";
import { finished, signIn } from "../../support/management-client.js";

const GROUP = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop";
const NAMESPACE = `${GROUP}/providers/Microsoft.EventGrid/namespaces/shop`;
const TOPIC = `${NAMESPACE}/topics/orders`;
const QUEUE = `${TOPIC}/eventSubscriptions/queue`;
const PUSH = `${TOPIC}/eventSubscriptions/push`;
const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/letters`;

async function start() {
  const webhook = await startWebhook();
  const cloud = await startCloud({
    control: { eventGridRegistered: true },
    ingress: { "https://orders.example.com": webhook.url },
  });
  const call = await signIn(cloud);
  await call("PUT", GROUP, { location: "westeurope" });
  const namespace = await call("PUT", NAMESPACE, {
    location: "westeurope",
    sku: { name: "Standard", capacity: 2 },
    identity: { type: "SystemAssigned" },
    tags: { team: "shop" },
    properties: { publicNetworkAccess: "Enabled" },
  });
  const topic = await call("PUT", TOPIC, { properties: { eventRetentionInDays: 3 } });
  return { cloud, webhook, call, namespace, topic };
}

const queue = (settings: object = {}, others: object = {}) => ({
  properties: {
    deliveryConfiguration: { deliveryMode: "Queue", queue: settings },
    ...others,
  },
});

const push = (settings: object = {}) => ({
  properties: {
    deliveryConfiguration: {
      deliveryMode: "Push",
      push: {
        maxDeliveryCount: 5,
        eventTimeToLive: "P1D",
        destination: {
          endpointType: "WebHook",
          properties: { endpointUrl: `${PUBLIC_URL}?code=secret`, ...settings },
        },
      },
    },
  },
});

describe("namespaces in Resource Manager", () => {
  it("are created with topics, by operations", async () => {
    const { cloud, call, namespace, topic } = await start();
    expect(namespace.status).toBe(201);
    expect(await finished(call, namespace)).toMatchObject({ status: "Succeeded" });
    expect((await call("GET", NAMESPACE)).body).toMatchObject({
      id: NAMESPACE,
      type: "Microsoft.EventGrid/namespaces",
      location: "westeurope",
      sku: { name: "Standard", capacity: 2 },
      identity: { type: "SystemAssigned", principalId: expect.any(String) },
      tags: { team: "shop" },
      properties: {
        topicsConfiguration: {
          hostname: `${new URL(cloud.control.origin).host}/shop.westeurope-1`,
        },
        publicNetworkAccess: "Enabled",
        provisioningState: "Succeeded",
      },
    });
    expect(topic).toMatchObject({
      status: 201,
      body: {
        id: TOPIC,
        type: "Microsoft.EventGrid/namespaces/topics",
        properties: {
          publisherType: "Custom",
          eventRetentionInDays: 3,
          provisioningState: "Creating",
        },
      },
    });
    expect((await call("GET", `${NAMESPACE}/topics`)).body).toMatchObject({
      value: [{ id: TOPIC, properties: { inputSchema: "CloudEventSchemaV1_0" } }],
    });
  });

  it("answer 202 to a PATCH, because azurerm refuses the 201 of topics", async () => {
    const { call } = await start();
    const patched = await call("PATCH", NAMESPACE, { tags: { team: "billing" } });
    expect(patched.status).toBe(202);
    expect(await finished(call, patched)).toMatchObject({ status: "Succeeded" });
    expect((await call("GET", NAMESPACE)).body).toMatchObject({ tags: { team: "billing" } });
  });

  it("list and replace the keys of namespaces and topics", async () => {
    const { cloud, call } = await start();
    for (const id of [NAMESPACE, TOPIC]) {
      const { body: before } = await call("POST", `${id}/listKeys`);
      const { body: after } = await call("POST", `${id}/regenerateKey`, { keyName: "key2" });
      expect(after).not.toEqual(before);
      expect((await call("POST", `${id}/listKeys`)).body).toEqual(after);
    }
    expect((await call("POST", `${TOPIC}/listKeys`)).body).toEqual(
      cloud.namespaces.get(NAMESPACE)?.topics.get("orders")?.keys(),
    );
  });

  it("create, show and change queues", async () => {
    const { cloud, call } = await start();
    const written = queue(
      { receiveLockDurationInSeconds: 120, maxDeliveryCount: 5, eventTimeToLive: "P1D" },
      { filtersConfiguration: { includedEventTypes: ["shop.order"] } },
    );
    const created = await call("PUT", QUEUE, written);
    expect(created.status).toBe(201);
    expect(await finished(call, created)).toMatchObject({ status: "Succeeded" });
    expect((await call("GET", QUEUE)).body).toEqual({
      id: QUEUE,
      name: "queue",
      type: "Microsoft.EventGrid/namespaces/topics/eventSubscriptions",
      systemData: null,
      properties: {
        deliveryConfiguration: {
          deliveryMode: "Queue",
          queue: {
            receiveLockDurationInSeconds: 120,
            maxDeliveryCount: 5,
            eventTimeToLive: "P1D",
          },
        },
        eventDeliverySchema: "CloudEventSchemaV1_0",
        filtersConfiguration: { includedEventTypes: ["shop.order"], filters: [] },
        expirationTimeUtc: null,
        provisioningState: "Succeeded",
      },
    });
    await call("PUT", QUEUE, queue());
    const topic = cloud.namespaces.get(NAMESPACE)?.topics.get("orders");
    expect(topic?.subscriptions.get("queue")?.settings).toMatchObject({
      receiveLockDurationInSeconds: 60,
      maxDeliveryCount: 10,
      eventTimeToLiveInMinutes: 3 * 1440,
      filter: { includedEventTypes: undefined },
    });
  });

  it("create webhooks with a handshake, and hide the query of their URLs", async () => {
    const { call, webhook } = await start();
    const created = await call("PUT", PUSH, push());
    expect(created).toMatchObject({
      status: 201,
      body: { properties: { provisioningState: "Creating" } },
    });
    expect(await finished(call, created)).toMatchObject({ status: "Succeeded" });
    const shown = await call("GET", PUSH);
    expect(shown.body).toMatchObject({
      properties: {
        provisioningState: "Succeeded",
        deliveryConfiguration: {
          push: {
            destination: {
              endpointType: "WebHook",
              properties: { endpointUrl: null, endpointBaseUrl: PUBLIC_URL, maxEventsPerBatch: 1 },
            },
          },
        },
      },
    });
    expect(JSON.stringify(shown.body)).not.toContain("secret");
    expect((await call("POST", `${PUSH}/getFullUrl`)).body).toEqual({
      endpointUrl: `${PUBLIC_URL}?code=secret`,
    });
    const [handshake] = webhook.requests;
    expect(handshake?.headers).toMatchObject({ "webhook-request-origin": "eventgrid.azure.net" });
    expect(handshake?.headers).not.toHaveProperty("webhook-request-rate");
    expect(handshake?.headers).not.toHaveProperty("webhook-request-callback");
  });

  it("fail the creation of a webhook that refuses", async () => {
    const { call, webhook } = await start();
    webhook.answer = () => ({ status: 503 });
    const operation = await finished(call, await call("PUT", PUSH, push()));
    expect(operation).toMatchObject({ status: "Failed", error: { code: "Url validation" } });
    expect((await call("GET", PUSH)).body).toMatchObject({
      properties: { provisioningState: "CreateFailed" },
    });
  });

  it.each<[string, string, object, RegExp]>([
    [
      "an unknown parent",
      `${NAMESPACE}/topics/x/eventSubscriptions/q`,
      queue(),
      /could not be found/,
    ],
    ["no delivery mode", QUEUE, { properties: {} }, /deliveryConfiguration must be an object/],
    [
      "a time to live above the retention",
      QUEUE,
      queue({ eventTimeToLive: "P4D" }),
      /retention of 3 days/,
    ],
    ["a retention of 8 days", TOPIC, { properties: { eventRetentionInDays: 8 } }, /1 to 7, not 8/],
    ["another schema", TOPIC, { properties: { inputSchema: "EventGridSchema" } }, /inputSchema/],
  ])("refuse %s", async (_, id, body, message) => {
    const { call } = await start();
    const { status, body: refused } = await call("PUT", id, body);
    expect(status === 400 || status === 404).toBe(true);
    expect(JSON.stringify(refused)).toMatch(message);
  });

  it("dead-letter with the namespace's identity, which needs its role", async () => {
    const { cloud, call } = await start();
    const deadLetterDestinationWithResourceIdentity = {
      identity: { type: "SystemAssigned" },
      deadLetterDestination: {
        endpointType: "StorageBlob",
        properties: { resourceId: ACCOUNT, blobContainerName: "dead" },
      },
    };
    const written = queue({ deadLetterDestinationWithResourceIdentity });
    const refused = await call("PUT", QUEUE, written);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain("Storage Blob Data Contributor");
    const { body } = await call("GET", NAMESPACE);
    const { identity } = body as { identity: { principalId: string } };
    cloud.control.assignRole("Storage Blob Data Contributor", identity.principalId, ACCOUNT);
    expect((await call("PUT", QUEUE, written)).status).toBe(201);
  });

  it("are deleted with everything in them", async () => {
    const { cloud, call } = await start();
    await call("PUT", QUEUE, queue());
    expect((await call("DELETE", QUEUE)).status).toBe(202);
    expect((await call("GET", QUEUE)).status).toBe(404);
    await call("PUT", QUEUE, queue());
    await call("DELETE", NAMESPACE);
    expect((await call("GET", TOPIC)).status).toBe(404);
    expect(cloud.namespaces.list()).toEqual([]);
  });
});
