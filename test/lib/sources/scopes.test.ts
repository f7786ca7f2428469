import { scopes } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";

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

  it("a topic", () => {
    expect(scopes.topic({ subscriptionId, resourceGroupName, topicName: "orders" })).toBe(
      "/subscriptions/11111111-2222-3333-4444-000000000002/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders",
    );
  });
});
