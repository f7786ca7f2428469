import { describe, expect, it } from "vitest";
import { plausible } from "../../stand-ins/src/generic/plausible.js";
import { plan } from "../../stand-ins/src/provider/plan.js";
import { withoutUnknowns } from "../../stand-ins/src/provider/settle.js";
import { conform } from "../../stand-ins/src/schema/conform.js";
import { readProviderSchema } from "../../stand-ins/src/schema/schema.js";
import { UNKNOWN } from "../../stand-ins/src/values/value.js";

const all = [readProviderSchema("azurerm", "4.73.0"), readProviderSchema("azuread", "3.7.0")];
const types = all.flatMap(({ resource_schemas }) => Object.entries(resource_schemas));

describe("every resource type of the real schemas", () => {
  it.each(types)("can be planned and created: %s", (_type, { block }) => {
    const config = conform(block, {});
    const { planned } = plan(block, { forceNew: [] }, null, config);
    expect(planned.id).toBe(UNKNOWN);
    const made = plausible(block, planned, "/subscriptions/s/providers/P/t/orders");
    expect(made, "nothing is left unknown").toEqual(withoutUnknowns(made));
    expect(Object.keys(conform(block, made)).sort()).toEqual(
      [...Object.keys(block.attributes ?? {}), ...Object.keys(block.block_types ?? {})].sort(),
    );
  });
});

it("the schema of azurerm 4.73 is that of 4.55 with additions", () => {
  const earlier = readProviderSchema("azurerm", "4.55.0");
  const later = readProviderSchema("azurerm", "4.73.0");
  expect(later).toMatchObject(earlier);
  const identity = later.resource_schemas.azurerm_user_assigned_identity?.block.attributes;
  expect(identity?.isolation_scope).toEqual({ type: "string", optional: true });
});

describe("the complete form of a value", () => {
  const { block } = all[0]?.resource_schemas.azurerm_eventgrid_topic ?? { block: {} };

  it("has null for absent attributes, and empty blocks", () => {
    expect(conform(block, { name: "orders" })).toMatchObject({
      name: "orders",
      endpoint: null,
      identity: [],
      timeouts: null,
    });
  });

  it("has every field of nested objects", () => {
    expect(conform(block, { inbound_ip_rule: [{ ip_mask: "10.0.0.0/8" }] })).toMatchObject({
      inbound_ip_rule: [{ ip_mask: "10.0.0.0/8", action: null }],
    });
  });

  it("refuses attributes that the schema does not have", () => {
    expect(() => conform(block, { nme: "orders", naem: 1 })).toThrow(
      "not in the schema: nme, naem",
    );
  });
});
