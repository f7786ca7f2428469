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
    const advancedFilters = [
      where("data.a").isNotNull(),
      where("data.b").isNullOrUndefined(),
      where("data.c").boolEquals(true),
      where("data.d").numberGreaterThan(1),
      where("data.e").numberGreaterThanOrEquals(2),
      where("data.f").numberLessThan(3),
      where("data.g").numberLessThanOrEquals(4),
      where("data.h").numberIn(5, 6),
      where("data.i").numberNotIn(7),
      where("data.j").numberInRange([1, 2], [3, 4]),
      where("data.k").numberNotInRange([5, 6]),
      where("data.l").stringIn("x", "y"),
      where("data.m").stringNotIn("z"),
      where("subject").stringBeginsWith("a"),
      where("subject").stringNotBeginsWith("b"),
      where("subject").stringEndsWith("c"),
      where("subject").stringNotEndsWith("d"),
      where("subject").stringContains("e"),
      where("subject").stringNotContains("f"),
    ];
    const filters = subscriptionWith({ advancedFilters });
    expect(filters.advanced_filtering_on_arrays_enabled).toBe(true);
    expect(filters.advanced_filter).toEqual({
      is_not_null: [{ key: "data.a" }],
      is_null_or_undefined: [{ key: "data.b" }],
      bool_equals: [{ key: "data.c", value: true }],
      number_greater_than: [{ key: "data.d", value: 1 }],
      number_greater_than_or_equals: [{ key: "data.e", value: 2 }],
      number_less_than: [{ key: "data.f", value: 3 }],
      number_less_than_or_equals: [{ key: "data.g", value: 4 }],
      number_in: [{ key: "data.h", values: [5, 6] }],
      number_not_in: [{ key: "data.i", values: [7] }],
      number_in_range: [
        {
          key: "data.j",
          values: [
            [1, 2],
            [3, 4],
          ],
        },
      ],
      number_not_in_range: [{ key: "data.k", values: [[5, 6]] }],
      string_in: [{ key: "data.l", values: ["x", "y"] }],
      string_not_in: [{ key: "data.m", values: ["z"] }],
      string_begins_with: [{ key: "subject", values: ["a"] }],
      string_not_begins_with: [{ key: "subject", values: ["b"] }],
      string_ends_with: [{ key: "subject", values: ["c"] }],
      string_not_ends_with: [{ key: "subject", values: ["d"] }],
      string_contains: [{ key: "subject", values: ["e"] }],
      string_not_contains: [{ key: "subject", values: ["f"] }],
    });
  });

  it("can use one operator twice", () => {
    const advancedFilters = [where("type").stringIn("a"), where("source").stringIn("b")];
    expect(subscriptionWith({ advancedFilters }).advanced_filter).toEqual({
      string_in: [
        { key: "type", values: ["a"] },
        { key: "source", values: ["b"] },
      ],
    });
  });

  it("name the operators with a type where one without is called", () => {
    // @ts-expect-error Argument of type 'number' is not assignable to parameter of type '"use numberGreaterThan"'.
    expect(() => where("data.total").greaterThan(100)).toThrow(
      'where("data.total").greaterThan does not exist: use numberGreaterThan',
    );
  });
});
