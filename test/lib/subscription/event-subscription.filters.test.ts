import { DataAzurermResourceGroup } from "@cdktf/provider-azurerm/lib/data-azurerm-resource-group/index.js";
import { KeyVault } from "@cdktf/provider-azurerm/lib/key-vault/index.js";
import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { type TerraformStack, TerraformVariable } from "cdktf";
import { CloudEventGridBinding, where } from "cloud-eventgrid-binding";
import { defineEvents, systemEventTypes, type } from "cloud-eventgrid-binding-runtime/events";
import { describe, expect, it } from "vitest";
import { synthesized } from "../../support/synthesized.js";
import { received, resourceGroup } from "../fixtures.js";
import { SUBSCRIPTION, subscriptionWith } from "../subscriptions.js";
import { everyFilter } from "./every-filter.js";

describe("the filters of an event subscription", () => {
  it("default to the event types of the catalogue", () => {
    const events = defineEvents({ "shop.order.placed": type(), "shop.order.cancelled": type() });
    expect(subscriptionWith({ events }).included_event_types).toEqual([
      "shop.order.placed",
      "shop.order.cancelled",
    ]);
    expect(
      subscriptionWith({ events, includedEventTypes: ["shop.order.placed"] }).included_event_types,
    ).toEqual(["shop.order.placed"]);
  });

  it("are written for all event types, because the provider keeps types that are left out", () => {
    const typesAt = (scopeOf: (stack: TerraformStack) => string) =>
      synthesized((stack) => {
        const scope = scopeOf(stack);
        new CloudEventGridBinding(stack, "orders", { ...received, scope });
      }).one(SUBSCRIPTION).included_event_types;
    const resource = (type: string) => () => `${resourceGroup}/providers/${type}/shop`;
    const place = { name: "shop", location: "westeurope" };
    const vault = {
      ...place,
      resourceGroupName: "shop",
      skuName: "standard",
      rbacAuthorizationEnabled: true,
      tenantId: received.cloudTenantId,
    };

    expect(typesAt(resource("Microsoft.EventGrid/topics"))).toEqual([]);
    expect(typesAt(resource("Microsoft.EventGrid/domains"))).toEqual([]);
    expect(typesAt(resource("microsoft.cache/redis"))).toEqual(systemEventTypes.cache);
    expect(typesAt(() => resourceGroup)).toHaveLength(9);
    expect(typesAt((stack) => new ResourceGroup(stack, "group", place).id)).toHaveLength(9);
    expect(
      typesAt((stack) => new DataAzurermResourceGroup(stack, "group", { name: "shop" }).id),
    ).toHaveLength(9);
    expect(typesAt(resource("Microsoft.KeyVault/vaults"))).toEqual(systemEventTypes.keyVault);
    expect(typesAt((stack) => new KeyVault(stack, "vault", vault).id)).toEqual(
      systemEventTypes.keyVault,
    );
    expect(typesAt(resource("Microsoft.DataFactory/factories"))).toBeUndefined();
  });

  it("are looked up by Terraform if it learns the scope only later", () => {
    const stack = synthesized((scope) => {
      const id = new TerraformVariable(scope, "scope", { type: "string" }).stringValue;
      new CloudEventGridBinding(scope, "orders", { ...received, scope: id });
    });
    const kind =
      'try(lower(element(regex("/providers/([^/]+/[^/]+)/", join("", ["/", trim(var.scope, "/")])), 0)), "")';
    const local = Object.keys(stack.json.locals ?? {})[0];
    expect(stack.one(SUBSCRIPTION).included_event_types).toBe(
      `\${try(local.${local}[${kind}], null)}`,
    );
    expect(stack.json.locals).toMatchObject({
      [local ?? ""]: {
        "": expect.any(Array),
        "microsoft.eventgrid/topics": [],
        "microsoft.storage/storageaccounts": systemEventTypes.objectStorage,
      },
    });
  });

  it("can use every operator of Event Grid", () => {
    const filters = subscriptionWith({ advancedFilters: everyFilter });
    expect(filters.advanced_filtering_on_arrays_enabled).toBe(true);
    const { number_in, number_in_range, string_contains, bool_equals, is_not_null, ...others } =
      Object(filters.advanced_filter);
    expect(number_in).toEqual([
      { key: "data.h", values: [5, 6] },
      { key: "data.h", values: [7] },
    ]);
    const values = [
      [1, 5],
      [7, 9],
    ];
    expect(number_in_range).toEqual([{ key: "data.j", values }]);
    expect(string_contains).toEqual([{ key: "data.r", values: ["h"] }]);
    expect(bool_equals).toEqual([{ key: "data.c", value: false }]);
    expect(is_not_null).toEqual([{ key: "data.a" }]);
    expect(Object.keys(others)).toHaveLength(14);
  });

  it("name the operators with a type where one without is called", () => {
    // @ts-expect-error Argument of type 'number' is not assignable to parameter of type '"use numberGreaterThan"'.
    expect(() => where("data.total").greaterThan(100)).toThrow(
      'where("data.total").greaterThan does not exist: use numberGreaterThan',
    );
  });
});
