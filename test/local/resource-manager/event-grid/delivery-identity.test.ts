import { describe, expect, it } from "vitest";
import { create, GROUP, publishTo, startGroup } from "../../support/cloud.js";
import { finished, textIn } from "../../support/management-client.js";

const TOPIC = `${GROUP}/providers/Microsoft.EventGrid/topics/orders`;
const IDENTITY = `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/sender`;
const QUEUE = `${GROUP}/providers/Microsoft.ServiceBus/namespaces/shop-bus/queues/orders`;
const HUB = `${GROUP}/providers/Microsoft.EventHub/namespaces/shop-hubs/eventhubs/orders`;
const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/shop`;
const STORED = `${ACCOUNT}/queueServices/default/queues/orders`;
const SYSTEM = { type: "SystemAssigned" };

/** A topic with an identity, and a function that subscribes a destination with one. */
async function start(identity?: object) {
  const { cloud, call } = await startGroup();
  for (const id of [IDENTITY, QUEUE, HUB, STORED]) await create(call, id);
  const properties = { inputSchema: "CloudEventSchemaV1_0" };
  await call("PUT", TOPIC, { location: "westeurope", properties, identity });
  const subscribe = async (destination: object, own: object) => {
    const deliveryWithResourceIdentity = { identity: own, destination };
    const id = `${TOPIC}/providers/Microsoft.EventGrid/eventSubscriptions/orders`;
    const written = await call("PUT", id, { properties: { deliveryWithResourceIdentity } });
    return finished(call, written);
  };
  const { body } = await call("GET", identity === SYSTEM ? TOPIC : IDENTITY);
  const holder = identity === SYSTEM ? "identity" : "properties";
  const principalId = identity === undefined ? "" : textIn(body, holder, "principalId");
  const publish = async () => {
    const topic = cloud.topics.get(TOPIC);
    if (topic) await publishTo(topic);
    await expect.poll(() => cloud.deliveries()).toHaveLength(1);
  };
  return { cloud, subscribe, publish, principalId };
}

describe("delivery with a managed identity", () => {
  it.each<[string, string, object]>([
    [
      "Azure Service Bus Data Sender",
      QUEUE,
      { endpointType: "ServiceBusQueue", properties: { resourceId: QUEUE } },
    ],
    [
      "Azure Event Hubs Data Sender",
      HUB,
      { endpointType: "EventHub", properties: { resourceId: HUB } },
    ],
    [
      "Storage Queue Data Message Sender",
      ACCOUNT,
      { endpointType: "StorageQueue", properties: { resourceId: ACCOUNT, queueName: "orders" } },
    ],
  ])("fails until the identity has the role %s", async (role, scope, destination) => {
    const { cloud, subscribe, publish, principalId } = await start(SYSTEM);
    expect(await subscribe(destination, SYSTEM)).toMatchObject({ status: "Succeeded" });
    await publish();
    expect(cloud.deliveries()).toMatchObject([{ status: 401, outcome: "retrying" }]);
    expect(cloud.deliveries()[0]?.response?.body.text).toContain(`Assign it the role '${role}'`);
    cloud.control.assignRole(role, principalId, scope);
    cloud.retryNow();
    await cloud.drain();
    expect(cloud.messages()).toHaveLength(1);
  });

  const destination = { endpointType: "ServiceBusQueue", properties: { resourceId: QUEUE } };

  it("works with a user-assigned identity that the topic has", async () => {
    const own = { type: "UserAssigned", userAssignedIdentities: { [IDENTITY]: {} } };
    const { cloud, subscribe, publish, principalId } = await start(own);
    const used = { type: "UserAssigned", userAssignedIdentity: IDENTITY };
    cloud.control.assignRole("Azure Service Bus Data Owner", principalId, GROUP);
    expect(await subscribe(destination, used)).toMatchObject({ status: "Succeeded" });
    await publish();
    expect(cloud.messages()).toHaveLength(1);
  });

  it("is refused if the topic does not have the identity", async () => {
    const { subscribe } = await start();
    const identity = { type: "UserAssigned", userAssignedIdentity: IDENTITY };
    expect(await subscribe(destination, identity)).toMatchObject({
      status: "Failed",
      error: {
        code: "InvalidRequest",
        message: expect.stringContaining(
          `The event subscription delivers with the identity '${IDENTITY}', which '${TOPIC}' does not have.`,
        ),
      },
    });
  });
});
