import { describe, expect, it } from "vitest";
import { startManaged } from "../../support/cloud.js";
import { finished } from "../../support/management-client.js";

const GROUP = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop";
const NAMESPACE = `${GROUP}/providers/Microsoft.EventGrid/namespaces/shop`;
const TOPIC = `${NAMESPACE}/topics/orders`;
const QUEUE = `${TOPIC}/eventSubscriptions/queue`;
const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/letters`;

async function start() {
  const { cloud, call } = await startManaged({ control: { eventGridRegistered: true } });
  await call("PUT", GROUP, { location: "westeurope" });
  await call("PUT", NAMESPACE, {
    location: "westeurope",
    identity: { type: "SystemAssigned" },
    tags: { team: "shop" },
  });
  await call("PUT", TOPIC, { properties: { eventRetentionInDays: 3 } });
  return { cloud, call };
}

const queue = (settings: object = {}, others: object = {}) => ({
  properties: {
    deliveryConfiguration: { deliveryMode: "Queue", queue: settings },
    ...others,
  },
});

describe("namespaces in Resource Manager", () => {
  it("answer 202 to a PATCH, because azurerm refuses the 201 of topics", async () => {
    const { call } = await start();
    const patched = await call("PATCH", NAMESPACE, { tags: { team: "billing" } });
    expect(patched.status).toBe(202);
    expect(await finished(call, patched)).toMatchObject({ status: "Succeeded" });
    expect((await call("GET", NAMESPACE)).body).toMatchObject({ tags: { team: "billing" } });
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

  it("are without an event subscription that was deleted", async () => {
    const { call } = await start();
    await call("PUT", QUEUE, queue());
    expect((await call("DELETE", QUEUE)).status).toBe(202);
    expect((await call("GET", QUEUE)).status).toBe(404);
  });
});
