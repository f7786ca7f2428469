import { TerraformOutput, TerraformVariable } from "cdktf";
import { scopes } from "cloud-eventgrid-binding";
import { parseScope } from "cloud-eventgrid-binding-runtime/binding";
import { describe, expect, it } from "vitest";
import { synthesized } from "../../support/synthesized.js";

const subscriptionId = "11111111-2222-3333-4444-000000000002";
const resourceGroupName = "shop";

describe("builders of the four scopes (specification 2.3)", () => {
  it("a subscription", () => {
    expect(scopes.subscription({ subscriptionId })).toBe(
      "/subscriptions/11111111-2222-3333-4444-000000000002",
    );
  });

  it("a resource group", () => {
    expect(scopes.resourceGroup({ subscriptionId, resourceGroupName })).toBe(
      "/subscriptions/11111111-2222-3333-4444-000000000002/resourceGroups/shop",
    );
  });

  it("a top-level resource", () => {
    expect(
      scopes.resource({
        subscriptionId,
        resourceGroupName,
        resourceProviderNamespace: "Microsoft.KeyVault",
        resourceType: "vaults",
        resourceName: "keys",
      }),
    ).toBe(
      "/subscriptions/11111111-2222-3333-4444-000000000002/resourceGroups/shop/providers/Microsoft.KeyVault/vaults/keys",
    );
  });

  it("names that the compiler takes for anything", () => {
    const { json } = synthesized((stack) => {
      const { value } = new TerraformVariable(stack, "group", { type: "string" });
      const id = scopes.resourceGroup({ subscriptionId, resourceGroupName: value });
      new TerraformOutput(stack, "id", { value: id, staticId: true });
    });
    expect(json.output).toEqual({
      id: { value: `/subscriptions/${subscriptionId}/resourceGroups/\${var.group}` },
    });
  });

  it("what a topic is in, by the names of the topic", () => {
    const topic = parseScope(
      scopes.topic({ subscriptionId, resourceGroupName, topicName: "orders" }),
    );
    if (topic.kind !== "topic") throw new Error(topic.kind);
    expect(scopes.resourceGroup(topic)).toBe(
      `/subscriptions/${subscriptionId}/resourceGroups/shop`,
    );
    expect(scopes.subscription(topic)).toBe(`/subscriptions/${subscriptionId}`);
  });

  it("a topic", () => {
    expect(scopes.topic({ subscriptionId, resourceGroupName, topicName: "orders" })).toBe(
      "/subscriptions/11111111-2222-3333-4444-000000000002/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders",
    );
  });
});
