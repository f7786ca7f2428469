import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import { SECURE_WEBHOOK_ROLE } from "cloud-eventgrid-local";
import fc from "fast-check";
import { expect, it } from "vitest";
import { existing, received, identity as SENDER } from "../../lib/fixtures.js";
import { draws } from "../../support/draws.js";
import { synthesized } from "../../support/synthesized.js";
import {
  type Answers,
  type Case,
  DrawnDeployment,
  ROLES,
  SUFFICIENT,
  TYPES,
} from "./drawn-deployment.js";
import { TOKENS } from "./drawn-tokens.js";

/** A deployment in which nothing is wrong. */
const healthy: fc.Arbitrary<Case> = fc.record({
  source: fc.constantFrom("topic", "topic", "domain"),
  type: fc.constantFrom("StorageBlob", "StorageBlob", ...TYPES),
  identity: fc.constantFrom("none", "SystemAssigned", "UserAssigned"),
  identityIs: fc.constant("attached" as const),
  role: fc.constantFrom(...SUFFICIENT),
  place: fc.constant("there" as const),
  status: fc.constant("Active" as const),
  keys: fc.constant(true),
  access: fc.constant("Enabled" as const),
  action: fc.constant("Allow" as const),
  exempt: fc.constantFrom("None", "AzureServices", "Logging, AzureServices", "Logging, Metrics"),
  rule: fc.constantFrom("none", "own", "other"),
  token: fc.constant("fine" as const),
});

type Fault = Partial<Case>;
const system = { identity: "SystemAssigned" } as const;
const user = { identity: "UserAssigned" } as const;
const keys = { identity: "none" } as const;
const blob = { type: "StorageBlob" } as const;
const bus = { type: "ServiceBusQueue" } as const;
const shut = { action: "Deny", exempt: "None", rule: "none" } as const;
const trusted = { action: "Deny", exempt: "AzureServices", rule: "none" } as const;
const off = { access: "Disabled", exempt: "AzureServices", rule: "none" } as const;
const perimeter = { access: "SecuredByPerimeter" } as const;

/** What decides, one in each: faults, and what looks like one. */
const FAULTS: readonly Fault[] = [
  ...TYPES.flatMap((type): Fault[] => [
    { type, ...system, role: "none" },
    { type, ...system, role: "by another name" },
    { type, ...system, role: "here", keys: false },
    { type, ...keys, ...(type !== "NamespaceTopic" && { keys: false }) },
  ]),
  ...ROLES.map((role, index) => ({ role, ...(index % 2 ? user : system) })),
  ...[system, user].map((one): Fault => ({ ...one, identityIs: "lost" })),
  { ...user, identityIs: "deleted" },
  { ...blob, ...keys, place: "deleted" },
  { ...bus, ...system, place: "deleted" },
  { ...blob, ...keys, place: "deleted with its account or namespace" },
  ...(["Disabled", "SendDisabled", "ReceiveDisabled"] as const).map((status) => ({
    ...{ ...bus, status },
  })),
  ...[blob, bus].flatMap((type) =>
    [keys, system, user].flatMap((identity) =>
      [shut, trusted, off].map((network): Fault => ({ ...type, ...identity, ...network })),
    ),
  ),
  { ...blob, ...system, ...shut, access: "Disabled" },
  { ...bus, ...system, ...shut, access: "Disabled" },
  { ...blob, ...system, ...perimeter, exempt: "AzureServices" },
  { ...bus, ...system, ...perimeter, exempt: "AzureServices" },
  { ...blob, ...system, ...trusted, exempt: "Logging, AzureServices" },
  { ...blob, ...system, ...shut, exempt: "Logging, Metrics" },
  ...(["own", "of the group", "of the subscription", "other", "shorter"] as const).map(
    (rule): Fault => ({ ...blob, ...system, ...shut, rule }),
  ),
  ...[keys, user].map((one): Fault => ({ ...blob, ...one, ...shut, rule: "own" })),
  ...TOKENS.map((token) => ({ ...blob, ...keys, token })),
];

/** Whether the construct warns of the account, as its literals show. */
function isWarnedOf(one: Case): boolean {
  const { warnings } = synthesized((scope) => {
    const storageAccount = new StorageAccount(scope, "account", {
      ...{ name: "shop", resourceGroupName: "shop", location: "westeurope" },
      ...{ accountTier: "Standard", accountReplicationType: "LRS" },
      sharedAccessKeyEnabled: one.keys,
      publicNetworkAccessEnabled: one.access === "Enabled",
      networkRules: { defaultAction: one.action, bypass: one.exempt.split(", ") },
    });
    const identity =
      one.identity === "UserAssigned"
        ? { type: one.identity, userAssignedIdentity: SENDER, principalId: existing.writerId }
        : { type: "SystemAssigned" as const, principalId: existing.writerId };
    new CloudEventGridBinding(scope, "orders", {
      ...received,
      scope: `${received.scope}/providers/Microsoft.EventGrid/topics/shop`,
      deadLetter: {
        storageAccount,
        container: "dead",
        ...(one.identity !== "none" && { identity }),
      },
    });
  });
  return warnings.some((text) => text.includes("deadLetter.storageAccount"));
}

/** What the constructs cannot see: roles, rules for single resources, perimeters, what is deleted later. */
function isLiteral({ type, identity, identityIs, role, rule, place, access }: Case): boolean {
  const sufficient: readonly string[] = SUFFICIENT;
  const hasRole = identity === "none" || (sufficient.includes(role) && identityIs === "attached");
  const isThere = place === "there" && access !== "SecuredByPerimeter";
  return type === "StorageBlob" && hasRole && isThere && rule === "none";
}

/** What Microsoft's pages do not agree on, or say of storage only; the local Azure admits Event Grid. */
function isDisputed({ type, identity, action, access, exempt, status }: Case): boolean {
  const trustsServices = exempt.endsWith("AzureServices");
  if (/^Storage/.test(type)) {
    return identity === "none" && trustsServices && (action === "Deny" || access === "Disabled");
  }
  // A queue that nobody may empty fills up.
  if (type === "ServiceBusQueue" && status === "ReceiveDisabled") return true;
  const isBroker = /^(ServiceBus|EventHub)/.test(type);
  return isBroker && identity === "SystemAssigned" && trustsServices && access === "Disabled";
}

const RANK = ["ok", "note", "warning", "unknown", "failed"] as const;
const worst = (findings: Answers["target"]) =>
  RANK[Math.max(0, ...findings.map(({ status }) => RANK.indexOf(status)))];

it("agrees with the constructs' warnings and the local Azure on what deliveries depend on", async () => {
  await using deployment = await DrawnDeployment.start();
  const count = draws(FAULTS.length);
  const cases = fc.sample(healthy, { numRuns: count, seed: 77 }).map((base, index): Case => {
    const round = Math.floor(index / FAULTS.length);
    const second = round === 0 ? {} : FAULTS[(index * 7 + round) % FAULTS.length];
    return { ...base, ...second, ...FAULTS[index % FAULTS.length] };
  });
  // What has the same subscription comes together, so that it is written once.
  const order = ({ source, type, identity }: Case) => [source, type, identity].join();
  for (const one of cases.sort((a, b) => order(a).localeCompare(order(b)))) {
    const { target, tokens, isKept, roles } = await deployment.ask(one);
    const drawn = JSON.stringify(one);
    expect([target, tokens], drawn).not.toContainEqual([]);
    const kept = isDisputed(one) ? "warning" : "ok";
    // Nothing here reads the rules of a perimeter; the local Azure has none, and admits nobody.
    const isUnseen = one.access === "SecuredByPerimeter" && one.type !== "NamespaceTopic";
    const status = worst(target);
    const lost = isUnseen && status === "unknown" ? "unknown" : "failed";
    expect(status, drawn).toBe(isKept ? kept : lost);
    if (one.type === "StorageBlob") {
      expect(roles.includes(SECURE_WEBHOOK_ROLE), drawn).toBe(worst(tokens) === "ok");
    }
    if (isLiteral(one)) expect(isWarnedOf(one), drawn).toBe(status !== "ok");
  }
});
