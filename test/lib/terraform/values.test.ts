import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { Fn, TerraformVariable, Token } from "cdktf";
import { expect, it } from "vitest";
import {
  countUnlessAmong,
  delay,
  functionArgument,
  ImportBlock,
  identityInAnyCase,
  knownAtPlan,
  operand,
  originOf,
  principalOf,
  resourceIdSegment,
  resourceWith,
  sameIdentity,
  scopeNamedBy,
  shortHash,
  TerraformData,
  trimmedId,
  uuidOf,
  withPrincipals,
  withTextTokens,
} from "../../../lib/terraform/index.js";
import { Synthesized, stackWithProviders } from "../../support/synthesized.js";
import { resourceGroup } from "../fixtures.js";
import { resolved } from "./resolved.js";

const location = "westeurope";

/** A stack with a variable, a group and an account that has an identity. */
function parts() {
  const stack = stackWithProviders();
  const group = new ResourceGroup(stack, "group", { name: "shop", location });
  const account = new StorageAccount(stack, "account", {
    ...{ name: "shop", location, resourceGroupName: "shop", accountTier: "Standard" },
    ...{ accountReplicationType: "LRS", identity: { type: "SystemAssigned" } },
  });
  const variable = new TerraformVariable(stack, "id", { type: "string" });
  const shown = (value: unknown) => resolved(stack, value);
  return { stack, group, account, variable: variable.stringValue, anything: variable.value, shown };
}

it("gives the same name the same UUID and hash, whatever else there is", () => {
  // By Python: uuid.uuid5 and hashlib.sha256.
  expect(uuidOf("orders")).toBe("47bfbc96-1390-5491-b623-c67aa8611570");
  expect(shortHash("a", "b")).toBe("0473ef2d");
});

it("turns untyped tokens in props into texts, and leaves everything else", () => {
  const { stack, anything, shown } = parts();
  const list = new TerraformVariable(stack, "list", { type: "list(string)" }).listValue;
  const date = new Date(0);
  const props = withTextTokens({ a: [anything, 1], b: { c: anything }, list, date, none: null });
  expect(props).toMatchObject({ a: [expect.any(String), 1], b: { c: expect.any(String) } });
  expect([props.list, props.date, props.none]).toEqual([list, date, null]);
  expect(shown(props.b.c)).toBe("${var.id}");
});

it("writes texts so that Terraform can work on them", () => {
  const { variable, group, shown } = parts();
  const upper = (text: string) => shown(Fn.upper(functionArgument(text)));
  expect(upper("a")).toBe('${upper("a")}');
  expect(upper(variable)).toBe("${upper(var.id)}");
  expect(upper(`a-${variable}`)).toBe('${upper(join("", ["a-", var.id]))}');
  const choice = Token.asString(Fn.conditional(variable, "a", "b"));
  expect(shown(operand(variable))).toBe("${var.id}");
  expect(shown(operand(choice))).toBe('${(var.id ? "a" : "b")}');
  expect(shown(Fn.upper(String(operand(choice))))).toBe('${upper((var.id ? "a" : "b"))}');
  expect([operand("a"), operand(1), operand(`a-${variable}`)]).toEqual(["a", 1, `a-${variable}`]);
  expect(resourceIdSegment(resourceGroup, 4)).toBe("shop");
  expect(resourceIdSegment("/a", 2)).toBe("");
  expect(shown(resourceIdSegment(group.id, 2))).toBe(
    '${element(split("/", azurerm_resource_group.group.id), 2)}',
  );
  // cdktf warns of literals next to references in arguments.
  expect(shown(resourceIdSegment(`/subscriptions/${variable}/a`, 2))).toBe(
    '${element(split("/", join("", ["/subscriptions/", var.id, "/a"])), 2)}',
  );
  expect(trimmedId("//a/b//")).toBe("a/b");
  expect(scopeNamedBy(resourceGroup)).toBeDefined();
  expect(scopeNamedBy("a")).toBeUndefined();
});

it("knows what values are, where they come from, and when they are known", () => {
  const { stack, group, variable } = parts();
  expect(identityInAnyCase(stack, "ABC")).toBe("abc");
  expect(identityInAnyCase(stack, group.id)).toBe("${azurerm_resource_group.group.id}");
  expect([sameIdentity(stack, "A", "a"), sameIdentity(stack, group.id, group.name)]).toEqual([
    true,
    false,
  ]);
  expect(resourceWith(stack, group.id, "id")).toBe(group);
  for (const [value, name] of [
    [group.id, "name"],
    ["a", "id"],
    [1, "id"],
  ] as const)
    expect(resourceWith(stack, value, name)).toBeUndefined();
  expect([originOf(group.id), originOf("a")]).toEqual([stack, undefined]);
  const known = [
    "a",
    variable,
    "${local.a}",
    "${data.b.c.id}",
    group.id,
    `${variable}-${variable}`,
  ];
  expect(known.map((value) => knownAtPlan(stack, value))).toEqual([
    ...[true, true, true, true],
    ...[false, false],
  ]);
});

it("counts an assignment unless its holder may be among others, as far as a plan can know", () => {
  const { stack, group, variable, shown } = parts();
  const count = (holders: string[], objectId: string) =>
    shown(countUnlessAmong(stack, holders, objectId));
  expect(count(["a", variable], "B")).toBe('${contains([lower(var.id)], lower("B")) ? 0 : 1}');
  expect(count(["a", group.id], variable)).toBe('${contains([lower("a")], lower(var.id)) ? 0 : 1}');
  expect(count(["a"], "b")).toBeUndefined();
  expect(count([variable], group.id)).toBeUndefined();
});

it("makes the principal of a new identity unknown until it is there", () => {
  const { stack, account, group, shown } = parts();
  const principal = account.identity.principalId;
  const other = account.id;
  const props = withPrincipals(stack, {
    ...{ receiver: principal, name: principal, other, objectId: other },
    principals: [{ principalId: [principal, "a"] }],
  });
  const added = account.node.findChild("new-identity") as TerraformData;
  const expected = `\${((length(terraform_data.${added.friendlyUniqueId}.id) >= 1) ? azurerm_storage_account.account.identity[0].principal_id : "")}`;
  expect(shown(props)).toEqual({
    receiver: expected,
    name: shown(principal),
    ...{ other: shown(other), objectId: shown(other) },
    principals: [{ principalId: [expected, "a"] }],
  });
  const list = ["${var.list}"];
  expect(withPrincipals(stack, list, "receiver")).toEqual(list);
  principalOf(group);
  const synthesized = new Synthesized(stack);
  expect(synthesized.one("terraform_data", "account/new-identity")).toEqual({
    triggers_replace: { type: "SystemAssigned" },
    depends_on: ["azurerm_storage_account.account"],
  });
  expect(synthesized.one("terraform_data", "group/new-identity")).toEqual({
    depends_on: ["azurerm_resource_group.group"],
  });
});

it("waits, keeps values, and imports", () => {
  const { stack, group } = parts();
  delay(stack, "delay", { seconds: 30, triggersReplace: { a: "b" } });
  new TerraformData(stack, "data", {});
  new ImportBlock(stack, "import", group, `/${resourceGroup}`);
  const synthesized = new Synthesized(stack);
  expect(synthesized.one("terraform_data", "delay")).toEqual({
    triggers_replace: { a: "b" },
    provisioner: [{ "local-exec": { command: "sleep 30 || ping -n 31 127.0.0.1" } }],
  });
  expect(synthesized.one("terraform_data", "data")).toEqual({});
  expect(synthesized.imports).toEqual([
    { id: `/${resourceGroup}`, to: "azurerm_resource_group.group" },
  ]);
});
