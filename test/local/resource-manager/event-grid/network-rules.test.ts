import { describe, expect, it } from "vitest";
import { create, GROUP, PUBLIC_URL, publishTo, startHooked } from "../../support/cloud.js";
import { finished, signIn, textIn } from "../../support/management-client.js";

const PROVIDERS = `${GROUP}/providers`;
const TOPIC = `${PROVIDERS}/Microsoft.EventGrid/topics/orders`;
const ACCOUNT = `${PROVIDERS}/Microsoft.Storage/storageAccounts/letters`;
const CONTAINER = `${ACCOUNT}/blobServices/default/containers/dead`;
const BUS = `${PROVIDERS}/Microsoft.ServiceBus/namespaces/shop-bus`;
const IDENTITY = `${PROVIDERS}/Microsoft.ManagedIdentity/userAssignedIdentities/writer`;
const location = "westeurope";

type Kind = "SystemAssigned" | "UserAssigned" | "none";

/** A topic with an identity that may do everything with data, and a subscription that uses it. */
async function start(kind: Kind, destination?: object) {
  const { cloud, webhook } = await startHooked({ control: { eventGridRegistered: true } });
  const call = await signIn(cloud);
  await call("PUT", GROUP, { location });
  for (const id of [CONTAINER, `${BUS}/queues/orders`]) await create(call, id);
  const user = await call("PUT", IDENTITY, { location });
  const type = kind === "none" ? "SystemAssigned" : kind;
  const userAssignedIdentities = kind === "UserAssigned" ? { [IDENTITY]: {} } : undefined;
  const properties = { inputSchema: "CloudEventSchemaV1_0" };
  const topic = await call("PUT", TOPIC, {
    location,
    properties,
    identity: { type, userAssignedIdentities },
  });
  const principalId =
    kind === "UserAssigned"
      ? textIn(user.body, "properties", "principalId")
      : textIn(topic.body, "identity", "principalId");
  for (const role of ["Storage Blob Data Contributor", "Azure Service Bus Data Sender"]) {
    cloud.control.assignRole(role, principalId, GROUP);
  }
  const identity = { type: kind, userAssignedIdentity: userAssignedIdentities && IDENTITY };
  const using = (name: string, property: string, place: object) =>
    kind === "none"
      ? { [property]: place }
      : { [`${name}WithResourceIdentity`]: { identity, [property]: place } };
  const deadLetter = {
    endpointType: "StorageBlob",
    properties: { resourceId: ACCOUNT, blobContainerName: "dead" },
  };
  const webhookDestination = { endpointType: "WebHook", properties: { endpointUrl: PUBLIC_URL } };
  const written = await call("PUT", `${TOPIC}/eventSubscriptions/orders`, {
    properties: {
      ...(destination
        ? using("delivery", "destination", destination)
        : { destination: webhookDestination }),
      ...using("deadLetter", "deadLetterDestination", deadLetter),
      eventDeliverySchema: "CloudEventSchemaV1_0",
    },
  });
  expect(await finished(call, written)).toMatchObject({ status: "Succeeded" });
  webhook.answerDeliveries(() => 400);
  const publish = async () => {
    const found = cloud.topics.get(TOPIC);
    if (found) await publishTo(found);
    await expect.poll(() => cloud.deliveries()).not.toEqual([]);
    return cloud.deliveries().at(-1);
  };
  return { cloud, call, publish };
}

const denied = (acls: object) => ({ networkAcls: { defaultAction: "Deny", ...acls } });
const ruleFor = (resourceId: string) =>
  denied({ bypass: "None", resourceAccessRules: [{ tenantId: "t", resourceId }] });
const ALL_TOPICS = TOPIC.replace("shop", "*").replace("orders", "*");

describe("the storage account of dead letters", () => {
  it.each<[Kind, string, object]>([
    ["none", "without a firewall", {}],
    ["UserAssigned", "without a firewall", {}],
    ["SystemAssigned", "with a firewall whose exceptions are the default", denied({})],
    ["SystemAssigned", "with a rule for the topic", ruleFor(TOPIC.toUpperCase())],
    ["SystemAssigned", "with a rule for all topics", ruleFor(ALL_TOPICS)],
    ["SystemAssigned", "that takes no access keys", { allowSharedKeyAccess: false }],
  ])("takes those of the identity %s %s", async (kind, _, properties) => {
    const { call, publish } = await start(kind);
    await call("PUT", ACCOUNT, { location, properties });
    expect(await publish()).toMatchObject({ outcome: "deadLettered", error: undefined });
  });

  it.each<[Kind, string, object, string]>([
    ["none", "with a firewall", denied({ bypass: "None" }), "does not admit Event Grid"],
    ["UserAssigned", "with a rule", ruleFor(TOPIC), "user-assigned identities"],
    ["SystemAssigned", "with another rule", ruleFor(`${TOPIC}2`), "does not admit Event Grid"],
    ["none", "that takes no access keys", { allowSharedKeyAccess: false }, "refuses access keys"],
  ])("loses those of the identity %s %s", async (kind, _, properties, reason) => {
    const { cloud, call, publish } = await start(kind);
    await call("PUT", ACCOUNT, { location, properties });
    const { outcome, error } = (await publish()) ?? {};
    expect(outcome).toBe("dropped");
    expect(error).toContain("the dead letter is lost: ");
    expect(error).toContain(reason);
    expect(cloud.deadLetters()).toEqual([]);
  });
});

describe("the firewall of a Service Bus namespace", () => {
  const destination = {
    endpointType: "ServiceBusQueue",
    properties: { resourceId: `${BUS}/queues/orders` },
  };
  const DENIED = { defaultAction: "Deny", trustedServiceAccessEnabled: true };

  it.each<[Kind, object, object, string]>([
    ["SystemAssigned", {}, DENIED, "delivered"],
    ["none", {}, { defaultAction: "Allow" }, "delivered"],
    ["SystemAssigned", {}, { ...DENIED, trustedServiceAccessEnabled: false }, "retrying"],
    ["UserAssigned", {}, DENIED, "retrying"],
    ["none", {}, DENIED, "retrying"],
    ["none", { disableLocalAuth: true }, {}, "retrying"],
    ["SystemAssigned", { disableLocalAuth: true }, {}, "delivered"],
    ["UserAssigned", { publicNetworkAccess: "Disabled" }, {}, "retrying"],
  ])("%s, %j, %j: %s", async (kind, properties, rules, outcome) => {
    const { call, publish } = await start(kind, destination);
    await call("PUT", BUS, { location, properties });
    await call("PUT", `${BUS}/networkRuleSets/default`, { properties: rules });
    expect(await publish()).toMatchObject({ outcome });
  });
});

it("takes the account that the cloud is connected to as one of every group", async () => {
  const { cloud } = await startHooked({
    control: { eventGridRegistered: true },
    storageConnectionString: "UseDevelopmentStorage=true",
  });
  const call = await signIn(cloud);
  await call("PUT", GROUP, { location });
  await call("PUT", TOPIC, { location, properties: { inputSchema: "CloudEventSchemaV1_0" } });
  const outcomeOf = async (account: string) => {
    const resourceId = `${PROVIDERS}/Microsoft.Storage/storageAccounts/${account}`;
    const properties = { resourceId, queueName: "orders" };
    const written = await call("PUT", `${TOPIC}/eventSubscriptions/${account}`, {
      properties: { destination: { endpointType: "StorageQueue", properties } },
    });
    return finished(call, written);
  };
  expect(await outcomeOf("devstoreaccount1")).toMatchObject({ status: "Succeeded" });
  expect(await outcomeOf("missing")).toMatchObject({ status: "Failed" });
  // Its clients create queues without Resource Manager.
  await call("PUT", `${PROVIDERS}/Microsoft.Storage/storageAccounts/devstoreaccount1`, {
    location,
  });
  const topic = cloud.topics.get(TOPIC);
  if (topic) await publishTo(topic);
  await expect.poll(() => cloud.deliveries()).toHaveLength(1);
  expect(cloud.deliveries()[0]).not.toMatchObject({ status: 404 });
});
