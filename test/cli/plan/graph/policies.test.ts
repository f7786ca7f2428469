import { describe, expect, it } from "vitest";
import { effects, TOPIC } from "../world.js";
import { GROUP, LATER, planWith, type Sides } from "./changed-world.js";

const ASSIGNMENT = "/providers/Microsoft.Management/managementGroups/g/x/policyAssignments/p";
const [SUBSCRIPTION = ""] = /^\/subscriptions\/[^/]+/.exec(TOPIC) ?? [];
const found = (address: string, sides: Sides) => effects(planWith({ [address]: sides }));
const open = [expect.stringMatching(/^unknown plan .*policies that the plan does not show/)];

describe("policies that the plan does not show", () => {
  it.each([
    ["azurerm_resource_policy_remediation.r", { resource_id: TOPIC }],
    ["azurerm_resource_group_policy_remediation.r", { resource_group_id: GROUP.toUpperCase() }],
    ["azurerm_resource_group_policy_remediation.r", { resource_group_id: LATER }],
    ["azurerm_subscription_policy_remediation.r", { subscription_id: SUBSCRIPTION }],
    [
      "azurerm_management_group_policy_remediation.r",
      { management_group_id: "/providers/Microsoft.Management/managementGroups/g" },
    ],
    [
      "azapi_resource.r",
      { type: "Microsoft.PolicyInsights/remediations@2021-10-01", parent_id: SUBSCRIPTION },
    ],
  ])("are carried out by a remediation: %s %o", async (address, place) => {
    const side = { ...place, name: "r", policy_assignment_id: ASSIGNMENT };
    expect(await found(address, [null, side])).toEqual(open);
    expect(await found(address, [side, null])).toEqual([]);
  });

  it("are those of another management group when a subscription moves", async () => {
    const of = (name: string) => ({
      management_group_id: `/providers/Microsoft.Management/managementGroups/${name}`,
      subscription_id: SUBSCRIPTION,
    });
    const address = "azurerm_management_group_subscription_association.s";
    expect(await found(address, [of("a"), of("b")])).toEqual(open);
    expect(await found(address, [of("a"), of("a")])).toEqual([]);
  });
});
