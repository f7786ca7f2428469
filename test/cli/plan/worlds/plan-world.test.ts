import { describe, expect, it } from "vitest";
import { readPlan } from "../../../../cli/src/plan/index.js";
import { type Moment, PlanWorld, Resources } from "../../../../cli/src/plan/worlds/index.js";
import { Doubt, get, UNKNOWN } from "../../../../cli/src/rules/index.js";
import { type Sets, same, setsPlan } from "../graph/changed-world.js";

const ARM = "/subscriptions/s/resourceGroups/g/providers";
const ACCOUNT = `${ARM}/Microsoft.Storage/storageAccounts/a`;
const BUS = `${ARM}/Microsoft.ServiceBus/namespaces/b`;
const RULES = `${BUS}/networkRuleSets/default`;
const [A, N, U] = [
  ...["azurerm_storage_account.a", "azurerm_storage_account_network_rules.a"],
  "azapi_update_resource.u",
] as const;

const worldOf = (sets: Sets, moment: Moment) =>
  new PlanWorld(new Resources(readPlan(setsPlan(sets)).changes), moment);
/** What a world shows of a resource: the names of what decides it, and some values of its body. */
async function shown(sets: Sets, moment: Moment, id: string, ...paths: readonly string[]) {
  const found = await worldOf(sets, moment).resource(id);
  if (found === undefined || found instanceof Doubt) return found?.why;
  return [...found.witnesses, ...paths.map((path) => get(found.body, ...path.split(".")))];
}

const account = { id: ACCOUNT, account_kind: "StorageV2" };
const denying = { id: ACCOUNT, storage_account_id: ACCOUNT, default_action: "Deny", bypass: [] };
const patch = {
  ...{ type: "Microsoft.Storage/storageAccounts@2024-01-01", resource_id: ACCOUNT },
  body: { properties: { allowSharedKeyAccess: false } },
};
const KIND = "kind";
const KEYS = "properties.allowSharedKeyAccess";
const ACTION = "properties.networkAcls.defaultAction";

describe("a resource of a plan", () => {
  it("is known by its ID while it exists, and open if the plan does not have it", async () => {
    const gone: Sets = { [A]: [account, null] };
    expect(await shown(gone, "before", ACCOUNT.toUpperCase(), KIND)).toEqual([A, "StorageV2"]);
    expect(await shown(gone, "during", ACCOUNT)).toBeUndefined();
    expect(await shown(gone, "after", ACCOUNT)).toBeUndefined();
    expect(await shown(gone, "after", `${ACCOUNT}2`)).toBe("open");
    expect(await shown(gone, "after", RULES)).toBeUndefined();
    expect(await shown(gone, "after", `${RULES}/more`)).toBe("open");
  });

  it("is what all that writes to it leaves, in that order", async () => {
    const sets: Sets = { [A]: same(account), [N]: same(denying), [U]: [null, patch] };
    const values = [KIND, ACTION, KEYS];
    expect(await shown(sets, "before", ACCOUNT, ...values)).toEqual([
      ...[A, N, "StorageV2", "Deny", undefined],
    ]);
    expect(await shown(sets, "after", ACCOUNT, ...values)).toEqual([
      ...[A, N, U, "StorageV2", "Deny", false],
    ]);
    const gone = { ...sets, [A]: [account, null] } as const;
    expect(await shown(gone, "after", ACCOUNT)).toBeUndefined();
  });

  it("is unknown beside what is written to it, if it is in another plan", async () => {
    const BYPASS = "properties.networkAcls.bypass";
    const networkAcls = { defaultAction: "Deny" };
    const inPart = { ...patch, body: { properties: { networkAcls } } };
    expect(await shown({ [U]: [null, inPart] }, "after", ACCOUNT, ACTION, BYPASS)).toEqual([
      ...[U, "Deny", UNKNOWN],
    ]);
    const known: Sets = { [A]: same(account), [U]: [null, inPart] };
    expect(await shown(known, "after", ACCOUNT, BYPASS)).toEqual([A, U, undefined]);
    const both: Sets = { [N]: same(denying), [U]: [null, inPart] };
    expect(await shown(both, "after", ACCOUNT, ACTION, "properties.networkAcls.x")).toEqual([
      ...[N, U, "Deny", UNKNOWN],
    ]);
    // Network rules are written as a whole.
    expect(await shown({ [N]: same(denying) }, "after", ACCOUNT, ACTION, KIND)).toEqual([
      ...[N, "Deny", undefined],
    ]);
  });

  it("is open to all networks once its rules are destroyed, but not when they are replaced", async () => {
    const rules = (...actions: string[]): Sets => ({
      ...{ [A]: same(account), [N]: [denying, actions.length > 1 ? denying : null, actions] },
    });
    const values = [ACTION, "properties.networkAcls.bypass"];
    expect(await shown(rules("delete"), "after", ACCOUNT, ...values)).toEqual([
      ...[A, N, "Allow", "AzureServices"],
    ]);
    expect(await shown(rules("delete", "create"), "during", ACCOUNT, ...values)).toEqual([
      ...[A, undefined, undefined],
    ]);
    const block = { ...account, network_rules: [{ default_action: "Deny", bypass: ["None"] }] };
    const written: Sets = { [A]: [account, block], [N]: [denying, null] };
    expect(await shown(written, "after", ACCOUNT, ...values)).toEqual([A, "Deny", "None"]);
    // Providers show rules that are resources of their own in the block, too.
    const listed: Sets = { [A]: same(block), [N]: [denying, null] };
    expect(await shown(listed, "after", ACCOUNT, ...values)).toEqual([
      ...[A, N, "Allow", "AzureServices"],
    ]);
    const patched: Sets = { [A]: same(account), [U]: [patch, null] };
    expect(await shown(patched, "after", ACCOUNT, ...values)).toEqual([A, undefined, undefined]);
  });

  it("has its rules in a block or in a resource of their own", async () => {
    const B = "azurerm_servicebus_namespace.b";
    const S = "azurerm_servicebus_namespace_network_rule_set.b";
    const block = { id: BUS, network_rule_set: [{ default_action: "Deny" }] };
    const values = ["properties.defaultAction"];
    expect(await shown({ [B]: same(block) }, "after", RULES, ...values, "properties.x")).toEqual([
      ...[B, "Deny", undefined],
    ]);
    const ofSameLength = `${BUS}/topics/abcdefghijklmnop`;
    expect(await shown({ [B]: same(block) }, "after", ofSameLength)).toBe("open");
    expect(await shown({ [B]: [block, null] }, "after", RULES)).toBeUndefined();
    expect(await shown({ [B]: same({ id: BUS }) }, "after", RULES)).toBeUndefined();
    const own = { id: RULES, namespace_id: BUS, default_action: "Allow" };
    const both: Sets = { [B]: same(block), [S]: same(own) };
    expect(await shown(both, "after", RULES, ...values)).toEqual([B, S, "Allow"]);
    const opened: Sets = { [B]: same({ id: BUS }), [S]: [own, null] };
    expect(await shown(opened, "after", RULES, ...values)).toEqual([S, "Allow"]);
    const closed: Sets = { [B]: [{ id: BUS }, block], [S]: [own, null] };
    expect(await shown(closed, "after", RULES, ...values)).toEqual([B, "Deny"]);
  });
});

it("lists the private endpoints of a resource, and no others", async () => {
  const leading = (to: string) => ({
    private_service_connection: [{ private_connection_resource_id: to }],
  });
  const world = worldOf(
    {
      "azurerm_private_endpoint.a": same(leading(ACCOUNT.toUpperCase())),
      "azurerm_private_endpoint.b": same(leading(BUS)),
      "azurerm_private_endpoint.c": [leading(ACCOUNT), null],
    },
    "after",
  );
  const found = await world.privateEndpoints({ id: ACCOUNT, body: {}, witnesses: [] });
  expect(found).toEqual({
    items: [{ witness: "azurerm_private_endpoint.a", isApproved: true }],
    rest: expect.objectContaining({ why: "open" }),
  });
});

it("says that others may be outside of the plan: roles, owners, credentials", async () => {
  const off = { id: "/p", object_id: "p", account_enabled: false };
  const world = worldOf({ "azuread_service_principal.p": same(off) }, "after");
  expect(await world.owners()).toMatchObject({ items: [], rest: { why: "open" } });
  const later = new Doubt("later", "x");
  for (const [principal, why] of [
    ["p", "open"],
    [later, "later"],
  ] as const) {
    const found = await world.roleAssignments(principal, ACCOUNT, "itself");
    expect(found).toMatchObject({ items: [], rest: { why } });
  }
  expect(world.signIn("P").is).toBe("no");
  expect(world.signIn("q").is).toBe("yes");
});
