import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { TerraformProvider, TerraformStack } from "cdktf";
import { expect, it } from "vitest";
import { AzapiData, AzapiResource, azapiProvider } from "../../../lib/terraform/index.js";
import { Synthesized, stackWithProviders, testApp } from "../../support/synthesized.js";
import { resolved } from "./resolved.js";

const type = "Microsoft.EventGrid/namespaces@2025-02-15";
const parentId = "/subscriptions/1/resourceGroups/shop";

it("writes a resource with every setting under azapi's names", () => {
  const stack = stackWithProviders();
  const provider = azapiProvider(stack, undefined);
  const resource = new AzapiResource(stack, "namespace", {
    ...{ provider, type, name: "shop", parentId, location: "westeurope", tags: { team: "a" } },
    identity: { type: "UserAssigned", identityIds: ["/i"] },
    body: { properties: { a: 1 } },
    ...{ ignoreCasing: true, listKeys: { "properties.a": "name" } },
    ...{ replacedWith: ["properties.b"], exports: ["properties.c"] },
  });
  const resourceId = `${parentId}/providers/Microsoft.EventGrid/namespaces/shop`;
  new AzapiData(stack, "existing", { provider, type, resourceId, exports: ["properties.c"] });
  const address = `azapi_resource.${resource.friendlyUniqueId}`;
  const texts = [resource.id, resource.principalId, resource.output("properties.c")];
  expect(resolved(stack, texts)).toEqual([
    `\${${address}.id}`,
    `\${${address}.identity[0].principal_id}`,
    `\${${address}.output.properties.c}`,
  ]);
  const synthesized = new Synthesized(stack);
  expect(synthesized.one("azapi_resource")).toEqual({
    ...{ type, name: "shop", parent_id: parentId, location: "westeurope", tags: { team: "a" } },
    identity: [{ type: "UserAssigned", identity_ids: ["/i"] }],
    body: { properties: { a: 1 } },
    ...{ ignore_casing: true, list_unique_id_property: { "properties.a": "name" } },
    ...{ replace_triggers_refs: ["properties.b"], response_export_values: ["properties.c"] },
    provider: "azapi",
  });
  expect(synthesized.one("data.azapi_resource")).toEqual({
    ...{ type, resource_id: resourceId, response_export_values: ["properties.c"] },
    provider: "azapi",
  });
});

// https://registry.terraform.io/providers/Azure/azapi/latest/docs#argument-reference
it("signs azapi in as the azurerm provider does", () => {
  const stack = new TerraformStack(testApp(), "orders");
  const signIn = {
    auxiliary_tenant_ids: ["b"],
    ...Object.fromEntries(
      `client_certificate client_certificate_password client_certificate_path client_id
       client_id_file_path client_secret client_secret_file_path environment oidc_request_token
       oidc_request_url oidc_token oidc_token_file_path subscription_id tenant_id`
        .split(/\s+/)
        .map((name) => [name, name]),
    ),
    ...{ use_aks_workload_identity: true, use_cli: true, use_msi: false, use_oidc: true },
  };
  const camelCase = Object.entries(signIn).map(([name, value]) => [
    name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  new AzurermProvider(stack, "azurerm", {
    ...Object.fromEntries(camelCase),
    ...{ features: [{}], storageUseAzuread: true, adoPipelineServiceConnectionId: "connection" },
  });
  expect(azapiProvider(stack, undefined)).toBe(azapiProvider(stack, undefined));
  const synthesized = new Synthesized(stack);
  expect(synthesized.providers("azapi")).toEqual([
    { ...signIn, oidc_azure_service_connection_id: "connection" },
  ]);
  expect(synthesized.json.terraform).toMatchObject({
    required_providers: { azapi: { source: "Azure/azapi", version: "~> 2.12" } },
  });
});

it("leaves the provider out if the stack has one of its own with the same alias", () => {
  const stack = stackWithProviders();
  azapiProvider(stack, undefined);
  class Own extends TerraformProvider {
    protected override synthesizeAttributes() {
      return { use_cli: false };
    }
  }
  const settings = { terraformResourceType: "azapi", terraformProviderSource: "Azure/azapi" };
  new Own(stack, "own", settings);
  expect(new Synthesized(stack).providers("azapi")).toEqual([{ use_cli: false }]);
});

it("has a provider for each azurerm provider, with its alias", () => {
  const stack = stackWithProviders();
  const hub = new AzurermProvider(stack, "hub", {
    ...{ features: [{}], alias: "hub", subscriptionId: "2" },
  });
  const providers = [undefined, hub].map((each) => azapiProvider(stack, each));
  for (const [index, provider] of providers.entries()) {
    const body = { provider, type, name: "shop", parentId, body: {} };
    new AzapiResource(stack, `namespace-${index}`, body);
  }
  const synthesized = new Synthesized(stack);
  expect(synthesized.providers("azapi")).toEqual([
    expect.not.objectContaining({ alias: "hub" }),
    { alias: "hub", subscription_id: "2" },
  ]);
  expect(synthesized.all("azapi_resource").map(({ body }) => body.provider)).toEqual([
    "azapi",
    "azapi.hub",
  ]);
  expect(synthesized.json.terraform).toHaveProperty("required_providers.azapi");
});
