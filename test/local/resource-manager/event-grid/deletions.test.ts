import type { LocalCloud } from "cloud-eventgrid-local";
import { expect, it } from "vitest";
import { create, GROUP, publishTo, startCloud, startWebhook } from "../../support/cloud.js";
import { emptyDirectory } from "../../support/command.js";
import { type Call, finished, signIn, textIn } from "../../support/management-client.js";

const TOPIC = `${GROUP}/providers/Microsoft.EventGrid/topics/orders`;
/** The group of what is deleted. */
const OTHER = GROUP.replace(/shop$/, "other");
const PROVIDERS = `${OTHER}/providers`;
const BUS = `${PROVIDERS}/Microsoft.ServiceBus/namespaces/shop-bus`;
const HUBS = `${PROVIDERS}/Microsoft.EventHub/namespaces/shop-hubs`;
const NAMESPACE = `${PROVIDERS}/Microsoft.EventGrid/namespaces/shop`;
const ACCOUNT = `${PROVIDERS}/Microsoft.Storage/storageAccounts/queues`;
const QUEUE = `${ACCOUNT}/queueServices/default/queues/orders`;
const SITE = `${PROVIDERS}/Microsoft.Web/sites/shop`;
const IDENTITY = `${PROVIDERS}/Microsoft.ManagedIdentity/userAssignedIdentities/writer`;

const location = "westeurope";
const at = (endpointType: string, resourceId: string, more: object = {}) => ({
  destination: { endpointType, properties: { resourceId, ...more } },
});
const queue = at("ServiceBusQueue", `${BUS}/queues/orders`);
const hub = at("EventHub", `${HUBS}/eventhubs/orders`);
const routed = at("NamespaceTopic", `${NAMESPACE}/topics/orders`);
const stored = at("StorageQueue", ACCOUNT, { queueName: "orders" });
const handled = at("AzureFunction", `${SITE}/functions/handle`);
const identified = {
  deliveryWithResourceIdentity: {
    identity: { type: "UserAssigned", userAssignedIdentity: IDENTITY },
    ...queue,
  },
};

it.each<[string, object, string, number]>([
  ["its queue of Service Bus", queue, `${BUS}/queues/orders`, 404],
  ["the namespace of its queue", queue, BUS, 404],
  ["the group of its queue", queue, OTHER, 404],
  ["its event hub", hub, `${HUBS}/eventhubs/orders`, 404],
  ["its namespace topic", routed, `${NAMESPACE}/topics/orders`, 404],
  ["the namespace of its topic", routed, NAMESPACE, 404],
  ["its storage queue", stored, QUEUE, 404],
  ["the account of its storage queue", stored, ACCOUNT, 404],
  ["the group of its function", handled, OTHER, 404],
  ["the identity that delivers", identified, IDENTITY, 401],
  ["the group of the identity that delivers", identified, OTHER, 404],
])(
  "an event waits after the deletion of %s, and a restart does not forget it",
  async (_, properties, id, status) => {
    const webhook = await startWebhook();
    const options = {
      persist: emptyDirectory(),
      functionApps: { shop: webhook.url },
      control: { eventGridRegistered: true },
    };
    const first = await startCloud(options);
    const call = await signIn(first);
    await createAll(first, call);
    const written = await call("PUT", `${TOPIC}/eventSubscriptions/orders`, {
      properties: { ...properties, eventDeliverySchema: "CloudEventSchemaV1_0" },
    });
    expect(await finished(call, written)).toMatchObject({ status: "Succeeded" });
    expect(await deliver(first)).toMatchObject({ outcome: "delivered" });
    await call("DELETE", id);
    expect(await deliver(first)).toMatchObject({ outcome: "retrying", status });
    await first.close();

    expect(await deliver(await startCloud(options))).toMatchObject({ outcome: "retrying", status });
  },
);

it("an event waits until its storage queue is created, and what is deleted gets nothing new", async () => {
  const cloud = await startCloud({ control: { eventGridRegistered: true } });
  const call = await signIn(cloud);
  await createAll(cloud, call);
  const account = ACCOUNT.replace(/queues$/, "later");
  await create(call, account);
  const properties = at("StorageQueue", account, { queueName: "orders" });
  const id = `${TOPIC}/eventSubscriptions/orders`;
  await finished(call, await call("PUT", id, { properties }));
  expect(await deliver(cloud)).toMatchObject({ outcome: "retrying", status: 404 });
  await create(call, `${account}/queueServices/default/queues/orders`);
  cloud.retryNow();
  await cloud.drain();
  expect(cloud.messages()).toHaveLength(1);
  await call("DELETE", account);
  const put = async (extension: string, own: object) =>
    (await call("PUT", `${account}/providers/${extension}/new`, { properties: own })).status;
  const lock = { level: "ReadOnly" };
  expect(await put("Microsoft.EventGrid/eventSubscriptions", stored)).toBe(404);
  expect(await put("Microsoft.Authorization/locks", lock)).toBe(404);
  await create(call, account);
  expect(await put("Microsoft.Authorization/locks", lock)).toBe(201);
});

async function createAll(cloud: LocalCloud, call: Call): Promise<void> {
  for (const id of [GROUP, OTHER]) await call("PUT", id, { location });
  const { body } = await call("PUT", IDENTITY, { location });
  const principalId = textIn(body, "properties", "principalId");
  for (const id of [`${BUS}/queues/orders`, `${HUBS}/eventhubs/orders`, QUEUE]) {
    await create(call, id);
  }
  await call("PUT", NAMESPACE, { location });
  await call("PUT", `${NAMESPACE}/topics/orders`, { properties: {} });
  await call("PUT", TOPIC, {
    location,
    properties: { inputSchema: "CloudEventSchemaV1_0" },
    identity: { type: "UserAssigned", userAssignedIdentities: { [IDENTITY]: {} } },
  });
  cloud.control.assignRole("Azure Service Bus Data Sender", principalId, BUS);
}

/** The result of the delivery of a new event. */
async function deliver(cloud: LocalCloud) {
  const before = cloud.deliveries().length;
  const topic = cloud.topics.get(TOPIC);
  if (topic) await publishTo(topic, { data: {} });
  await expect.poll(() => cloud.deliveries().length).toBeGreaterThan(before);
  return cloud.deliveries().at(-1);
}
