import { KeyVault } from "@cdktf/provider-azurerm/lib/key-vault/index.js";
import { TerraformVariable } from "cdktf";
import { CloudEventGridBinding, sources } from "cloud-eventgrid-binding";
import { ConfigurationError } from "cloud-eventgrid-binding-runtime";
import { defineEvents, systemEvents, type } from "cloud-eventgrid-binding-runtime/events";
import { describe, expect, it } from "vitest";
import { eventTypesOfKind, kindOfTerraformType } from "../../../lib/subscription/index.js";
import { stackWithProviders, synthesized } from "../../support/synthesized.js";
import { received, resourceGroup } from "../fixtures.js";

const vault = `${resourceGroup}/providers/Microsoft.KeyVault/vaults/shop`;
const near = "Microsoft.KeyVault.SecretNearExpiry";
const written = "Microsoft.Resources.ResourceWriteSuccess";

describe("any resource as a source", () => {
  it("is the scope of the event types that are named", () => {
    const stack = synthesized((scope) => {
      const keyVault = new KeyVault(scope, "vault", {
        name: "shop",
        resourceGroupName: "shop",
        location: "westeurope",
        skuName: "standard",
        rbacAuthorizationEnabled: true,
        tenantId: received.cloudTenantId,
      });
      new CloudEventGridBinding(scope, "secrets", {
        ...received,
        ...sources.resource(keyVault, { eventTypes: [near] }),
        additionalScopes: { group: sources.resource(resourceGroup, { eventTypes: [written] }) },
      });
    });
    const subscription = "azurerm_eventgrid_event_subscription";
    expect(stack.one(subscription, "secrets/subscription")).toMatchObject({
      scope: '/${trim(azurerm_key_vault.vault.id, "/")}',
      included_event_types: [near],
    });
    expect(stack.one(subscription, "secrets/subscription-group")).toMatchObject({
      scope: resourceGroup,
      included_event_types: [written],
    });
  });

  it("takes the types that it raises from the service's catalogue", () => {
    const events = defineEvents({
      "shop.order.placed": type<{ orderId: string }>(),
      ...systemEvents(near, written),
    });
    expect(sources.resource(vault, { events }).includedEventTypes).toEqual([near]);
    const id = new TerraformVariable(stackWithProviders(), "id", { type: "string" }).stringValue;
    expect(sources.resource(id, { events }).includedEventTypes.toSorted()).toEqual([near, written]);
  });

  it("may be of a type whose events are not known, if they are of its provider", () => {
    const target = `${resourceGroup}/providers/Microsoft.Edge/targets/t1`;
    const eventTypes = ["Microsoft.Edge.SolutionVersionPublished"] as const;
    expect(sources.resource(target, { eventTypes }).includedEventTypes).toEqual(eventTypes);
    expect(() => sources.resource(target, { eventTypes: [near] })).toThrow(
      'eventTypes must be raised by a resource of the type Microsoft.Edge/targets, but it raises none of "Microsoft.KeyVault.SecretNearExpiry"',
    );
    expect(() => sources.resource(target, { eventTypes: [] })).toThrow(
      "but it raises none of an empty list",
    );
  });

  it.each([
    ["a type of another service", () => sources.resource(vault, { eventTypes: [near, written] })],
    ["no type", () => sources.resource(vault, { eventTypes: [] })],
    [
      "a type of another kind of scope",
      () => sources.resource(resourceGroup, { eventTypes: [near] }),
    ],
    ["text that is no ID", () => sources.resource("shop-keys", { eventTypes: [near] })],
    [
      "a misspelt type",
      // @ts-expect-error the name is misspelt
      () => sources.resource(vault, { eventTypes: ["Microsoft.KeyVault.Secret"] }),
    ],
    // @ts-expect-error one of the two is needed
    ["no option", () => sources.resource(vault, {})],
  ])("refuses %s", (_, source) => {
    expect(source).toThrow(ConfigurationError);
  });
});

describe("the kind of a resource of azurerm", () => {
  const web = ["linux_function_app", "linux_web_app", "windows_function_app", "windows_web_app"];
  const others: Readonly<Record<string, string>> = {
    ...Object.fromEntries(
      [...web, "function_app_flex_consumption"].map((name) => [name, "web/sites"]),
    ),
    kubernetes_cluster: "containerservice/managedclusters",
    service_plan: "web/serverfarms",
    vmware_private_cloud: "avs/privateclouds",
  };
  const named = [
    ...["api_management", "app_configuration", "communication_service", "container_registry"],
    ...["eventgrid_domain", "eventgrid_namespace", "eventgrid_topic", "eventhub_namespace"],
    ...["healthcare_workspace", "iothub", "key_vault", "machine_learning_workspace"],
    ...["maps_account", "redis_cache", "servicebus_namespace", "signalr_service"],
    ...["storage_account"],
  ];

  it.each(named)("has the words of azurerm_%s, and known events", (name) => {
    const kind = kindOfTerraformType(`azurerm_${name}`) ?? "none";
    expect(eventTypesOfKind(kind)).toBeDefined();
    for (const word of name.split("_")) expect(kind.replace("/", "")).toContain(word);
  });

  it.each(Object.entries(others))("has another name for azurerm_%s", (name, kind) => {
    expect(kindOfTerraformType(`azurerm_${name}`)).toBe(`microsoft.${kind}`);
  });
});
