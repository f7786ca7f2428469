import { TerraformOutput, TerraformVariable } from "cdktf";
import { scopes } from "cloud-eventgrid-binding";
import { parseScope } from "cloud-eventgrid-binding-runtime/binding";
import { describe, expect, it } from "vitest";
import { synthesized } from "../../support/synthesized.js";

const subscriptionId = "11111111-2222-3333-4444-000000000002";
const resourceGroupName = "shop";

describe("functions that write scopes", () => {
  it("write the scope of a subscription", () => {
    expect(scopes.subscription({ subscriptionId })).toBe(
      "/subscriptions/11111111-2222-3333-4444-000000000002",
    );
  });

  it("write the scope of a resource group", () => {
    expect(scopes.resourceGroup({ subscriptionId, resourceGroupName })).toBe(
      "/subscriptions/11111111-2222-3333-4444-000000000002/resourceGroups/shop",
    );
  });

  it("write the scope of a top-level resource", () => {
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

  it("accept tokens as names", () => {
    const { json } = synthesized((stack) => {
      const { value } = new TerraformVariable(stack, "group", { type: "string" });
      const id = scopes.resourceGroup({ subscriptionId, resourceGroupName: value });
      new TerraformOutput(stack, "id", { value: id, staticId: true });
    });
    expect(json.output).toEqual({
      id: { value: `/subscriptions/${subscriptionId}/resourceGroups/\${var.group}` },
    });
  });

  it("accept the names of a narrower scope", () => {
    const topic = parseScope(
      scopes.topic({ subscriptionId, resourceGroupName, topicName: "orders" }),
    );
    if (topic.kind !== "topic") throw new Error(topic.kind);
    expect(scopes.resourceGroup(topic)).toBe(
      `/subscriptions/${subscriptionId}/resourceGroups/shop`,
    );
    expect(scopes.subscription(topic)).toBe(`/subscriptions/${subscriptionId}`);
  });

  it("write the scope of a topic", () => {
    expect(scopes.topic({ subscriptionId, resourceGroupName, topicName: "orders" })).toBe(
      "/subscriptions/11111111-2222-3333-4444-000000000002/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders",
    );
  });

  it("refuse invalid and misspelt names, all at once", () => {
    expect(() => scopes.resourceGroup({ subscriptionId: "x", resourceGroupName: "a/b" })).toThrow(
      "The scope is invalid: subscriptionId must be a UUID such as " +
        '11111111-2222-3333-4444-555555555555, but is "x"; resourceGroupName must be a name without ' +
        'slashes and spaces, but is "a/b"',
    );
    const misspelt: object = { resourcegroupname: "shop" };
    expect(() =>
      scopes.resourceGroup({ subscriptionId, resourceGroupName: "shop", ...misspelt }),
    ).toThrow("resourcegroupname is unknown: did you mean resourceGroupName?");
  });
});
