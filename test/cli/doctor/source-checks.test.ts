import { afterEach, beforeEach, expect, it } from "vitest";
import { Deployment } from "./deployment.js";

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

it("reports a topic that is not provisioned, and types that a flat account does not raise", async () => {
  const { topic, cloud } = deployment;
  deployment.canned = ({ pathname }) =>
    pathname === topic.id
      ? { status: 200, body: { properties: { provisioningState: "Failed" } } }
      : undefined;
  const { status, message } = await deployment.finding("scope");
  expect(`${status} ${message}`).toMatch(/^failed the provisioning of the topic .* in Failed$/);

  const scope = `/subscriptions/${cloud.subscriptionId}/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/shop`;
  const hierarchy = async (isHnsEnabled: boolean, ...types: string[]) => {
    const filter = { includedEventTypes: types.map((type) => `Microsoft.Storage.${type}`) };
    deployment.canned = ({ pathname }) => {
      if (pathname.endsWith("/eventSubscriptions/orders"))
        return { status: 200, body: { properties: { filter } } };
      if (pathname !== scope) return undefined;
      return { status: 200, body: { kind: "StorageV2", properties: { isHnsEnabled } } };
    };
    return (await deployment.finding("scope", [], { scope })).status;
  };
  expect(await hierarchy(false, "DirectoryCreated", "BlobRenamed")).toBe("failed");
  expect(await hierarchy(false, "DirectoryCreated", "BlobCreated")).toBeUndefined();
  expect(await hierarchy(true, "DirectoryCreated")).toBeUndefined();
});
