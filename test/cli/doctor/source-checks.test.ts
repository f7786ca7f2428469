import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Deployment } from "./deployment.js";

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment[Symbol.asyncDispose]());

describe("cloud-eventgrid doctor on sources", () => {
  it.each([
    ["Microsoft.Storage/storageAccounts", { kind: "Storage" }, { kind: "StorageV2" }],
    [
      "Microsoft.ServiceBus/namespaces",
      { sku: { name: "Standard" } },
      { sku: { name: "Premium" } },
    ],
    ["Microsoft.EventHub/namespaces", { sku: { name: "Basic" } }, { sku: { name: "Standard" } }],
    [
      "Microsoft.SignalRService/SignalR",
      { properties: { features: [{ flag: "ServiceMode", value: "Default" }] } },
      { properties: { features: [{ flag: "ServiceMode", value: "Serverless" }] } },
    ],
  ])(
    "reports a source of %s that raises no events, also behind a system topic",
    async (type, silent, loud) => {
      const group = `/subscriptions/${deployment.cloud.subscriptionId}/resourceGroups/shop/providers`;
      const source = `${group}/${type}/shop`;
      const topic = `${group}/Microsoft.EventGrid/systemTopics/shop`;
      const silences = async (scope: string, body: object) => {
        deployment.canned = ({ pathname }) => {
          if (pathname === source) return { status: 200, body };
          if (pathname !== topic) return undefined;
          return { status: 200, body: { properties: { source } } };
        };
        const { bad } = await deployment.finding("scope", [], { scope });
        return bad
          .filter(({ message }) => /raises no events/.test(message))
          .map(({ status }) => status);
      };
      for (const scope of [source, topic]) {
        expect(await silences(scope, silent)).toEqual(["failed"]);
        expect(await silences(scope, loud)).toEqual([]);
      }
    },
  );
});
