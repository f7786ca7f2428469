import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Deployment } from "../deployment.js";

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment[Symbol.asyncDispose]());

it("reports a source that raises no events, also behind a system topic", async () => {
  const group = `/subscriptions/${deployment.cloud.subscriptionId}/resourceGroups/shop/providers`;
  const source = `${group}/Microsoft.Storage/storageAccounts/shop`;
  const topic = `${group}/Microsoft.EventGrid/systemTopics/shop`;
  const silences = async (scope: string, kind: string) => {
    deployment.canned = ({ pathname }) => {
      if (pathname === source) return { status: 200, body: { kind } };
      if (pathname !== topic) return undefined;
      return { status: 200, body: { properties: { source } } };
    };
    const { bad } = await deployment.finding("scope", [], { scope });
    return bad.flatMap(({ message, status }) => (/raises no events/.test(message) ? [status] : []));
  };
  for (const scope of [source, topic]) {
    expect(await silences(scope, "Storage")).toEqual(["failed"]);
    expect(await silences(scope, "StorageV2")).toEqual([]);
  }
});

const sku = { name: "Basic" };

// https://learn.microsoft.com/azure/storage/common/storage-account-upgrade
it.each([
  ["Microsoft.Storage/storageAccounts", { kind: "Storage" }, /--set kind=StorageV2 /],
  ["Microsoft.Storage/storageAccounts", { kind: "FileStorage" }, /an account of another kind/],
  ["Microsoft.ServiceBus/namespaces", { sku }, /of the Premium tier/],
  ["Microsoft.EventHub/namespaces", { sku }, /enable Capture/],
])("says how a source of the type %s with %j may raise events", async (type, body, remedy) => {
  const source = deployment.topic.id.replace("Microsoft.EventGrid/topics", type);
  deployment.canned = ({ pathname }) => (pathname === source ? { status: 200, body } : undefined);
  const { bad } = await deployment.finding("scope", [], { scope: source });
  const found = bad.filter(({ message }) => /raises no events/.test(message));
  expect(found.map((each) => Object.values(Object(each.remedy)).join(" "))).toEqual([
    expect.stringMatching(remedy),
  ]);
});

it.each(["Deleting", "UpdatedFailed"])("reports a source in the state %s", async (state) => {
  const source = deployment.topic.id.replace("EventGrid/topics", "ServiceBus/namespaces");
  const body = { sku: { name: "Premium" }, properties: { provisioningState: state } };
  deployment.canned = ({ pathname }) => (pathname === source ? { status: 200, body } : undefined);
  const { bad } = await deployment.finding("scope", [], { scope: source });
  expect(bad.map(({ message }) => message)).toContain(`${source} is in the state ${state}`);
});

it("reports the domain that a topic is in", async () => {
  const domain = deployment.topic.id.replace("topics", "domains");
  deployment.canned = ({ pathname }) =>
    pathname === domain ? shown({ provisioningState: "Failed" }) : undefined;
  const args = ["--env", "ORDERS", "--scope", `${domain}/topics/shop`];
  const { out } = await deployment.run(args, deployment.environment());
  expect(out).toContain(`the provisioning of the domain ${domain} ended in Failed`);
});

const shown = (properties: object) => ({ status: 200, body: { properties } });

it.each([
  [{ provisioningState: "Failed" }, /provisioning of the topic .* in Failed$/],
  [{ provisioningState: "Deleting" }, /being deleted$/],
  [
    { provisioningState: "Succeeded", publicNetworkAccess: "Disabled" },
    /nobody can publish to it$/,
  ],
])("reports a topic that sends nothing: %o", async (properties, says) => {
  const { topic } = deployment;
  deployment.canned = ({ pathname }) => (pathname === topic.id ? shown(properties) : undefined);
  const { status, message } = await deployment.finding("scope");
  expect(status).toBe("failed");
  expect(message).toMatch(says);
});

describe("an event subscription of a storage account", () => {
  let scope: string;
  let account: object;
  let properties: object;
  const systemTopic = "/subscriptions/1/providers/Microsoft.EventGrid/systemTopics/shop";

  beforeEach(() => {
    const group = `/subscriptions/${deployment.cloud.subscriptionId}/resourceGroups/shop/providers`;
    scope = `${group}/Microsoft.Storage/storageAccounts/shop`;
    const topics = [{ id: systemTopic, properties: { source: scope.toUpperCase() } }];
    deployment.canned = ({ pathname }) => {
      if (pathname.endsWith("/eventSubscriptions/orders")) return shown(properties);
      if (pathname.endsWith("/systemTopics")) return { status: 200, body: { value: topics } };
      if (pathname === systemTopic) return { status: 200, body: { identity: { type: "None" } } };
      return pathname.startsWith(scope) ? { status: 200, body: account } : undefined;
    };
  });

  it("names no types only that a flat account does not raise", async () => {
    const scopeWith = async (isHnsEnabled: boolean, ...types: string[]) => {
      account = { kind: "StorageV2", properties: { isHnsEnabled } };
      const includedEventTypes = types.map((type) => `Microsoft.Storage.${type}`);
      properties = { filter: { includedEventTypes } };
      return (await deployment.finding("scope", [], { scope })).status;
    };
    expect(await scopeWith(false, "DirectoryCreated", "BlobRenamed")).toBe("failed");
    expect(await scopeWith(false, "DirectoryCreated", "BlobCreated")).toBeUndefined();
    expect(await scopeWith(true, "DirectoryCreated")).toBeUndefined();
  });

  it("writes dead letters with the identity of its system topic", async () => {
    account = { kind: "StorageV2" };
    const container = { resourceId: scope, blobContainerName: "dead" };
    const deadLetterDestination = { endpointType: "StorageBlob", properties: container };
    const identity = { type: "SystemAssigned" };
    properties = { deadLetterWithResourceIdentity: { identity, deadLetterDestination } };
    const { message } = await deployment.finding("dead-letter", [], { scope });
    expect(message).toContain(`${systemTopic} has no managed identity`);
  });

  it.each([
    [{ provisioningState: "Failed" }, "is in the state Failed: undeliverable events are lost"],
    [{ deleted: true }, "does not exist: undeliverable events are lost"],
  ])("writes dead letters to what is there, and not to %o", async (state, says) => {
    account = { kind: "StorageV2", properties: state };
    const container = { resourceId: scope, blobContainerName: "dead" };
    const endpoint = { endpointType: "StorageBlob", properties: container };
    properties = { deadLetterDestination: endpoint };
    const { bad } = await deployment.finding("dead-letter", [], { scope });
    const said = bad.filter(({ check }) => check === "dead-letter").map(({ message }) => message);
    expect(said).toEqual(expect.arrayContaining([expect.stringContaining(says)]));
  });
});
