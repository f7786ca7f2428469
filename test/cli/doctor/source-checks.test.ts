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
