import { groupsOf } from "cloud-eventgrid-binding-runtime/internal";
import { itemsOf } from "../../collections.js";
import { UNKNOWN } from "../../rules/index.js";
import { type Finding, lost, named, unknown } from "../finding.js";
import {
  CREATION,
  type Dependencies,
  type Dependency,
  EXISTENCE,
  type Graph,
  hostsIn,
  isAt,
  isBeside,
  isDestroyed,
  isHarmless,
  isUser,
  laterNames,
  leavesOf,
  NEEDS,
  placesAround,
} from "../graph/index.js";
import {
  idOf,
  isConfigured,
  isDescriptive,
  isPatch,
  isPlace,
  oneOf,
  type PlannedChange,
  type SubscriptionChange,
  same,
  typeOf,
  type Use,
  withoutIndices,
} from "../terraform/index.js";
import { isJudged } from "../worlds/index.js";
import { every, isAbout, NEIGHBOURS, type Neighbour } from "./neighbours.js";

/** The losses of a subscription that stays, by the destruction of other resources. */
export function destructionFindings(
  { before, after }: SubscriptionChange,
  destroyed: readonly PlannedChange[],
): Finding[] {
  if (before === undefined || after === undefined) return [];
  return NEEDS.flatMap(({ check, of, lost: message, content }) => {
    if (message === undefined) return [];
    const [was, is] = [placesAround(of(before)), placesAround(of(after))];
    const gone = destroyed.filter((each) => isAt(was, each));
    // What it only starts to need exists again after a replacement; dead letters that nobody kept are not lost.
    const isAlike = check !== "dead-letters" || before.deadLetters !== undefined;
    const needed =
      gone.find((each) => of(after) === UNKNOWN || isAt(is, each)) ??
      destroyed.find((each) => isAlike && each.action === "delete" && isAt(is, each));
    const [first] = needed ? [needed] : gone;
    if (first === undefined) return [];
    const what = `${first.address} is ${first.action === "delete" ? "destroyed" : "replaced"}`;
    if (needed) return [lost(check, "LOST", message(what))];
    const held = content?.(before);
    return held ? [unknown(check, `${what}, and ${held} with it`)] : [];
  });
}

/** The losses of publishers by the destruction of a topic, a domain, a namespace or a system topic. */
export function destroyedSourceFindings(change: PlannedChange): Finding[] | undefined {
  const { action, type, before, after, replacePaths } = change;
  if (action === "delete") {
    const message =
      "destroyed: nothing can be published to it, and what it has not delivered is dropped";
    return [lost("destroyed", "LOST", message)];
  }
  if (after === undefined || !action.includes("delete")) return undefined;
  const cause = replacePaths.length > 0 ? `, because of ${replacePaths.join(", ")}` : "";
  const isSystem = /system_?topic/i.test(`${type} ${String(after.type)}`);
  const hasKeys = before?.local_auth_enabled !== false && before?.disableLocalAuth !== true;
  const what = isSystem
    ? "what its source sends meanwhile is lost"
    : `publishers fail meanwhile${hasKeys ? " and need its new keys" : ""}`;
  const message = `replaced${cause}: ${what}, and what it has not delivered is dropped`;
  return [lost("replaced", "REPLACED", message)];
}

export function neighbourFindings(
  change: PlannedChange,
  dependencies: readonly Dependency[],
): Finding[] {
  // A subscription reports the end of what it names.
  const isReported =
    isDestroyed(change) && dependencies.some((one) => one.place === "itself" && one.subscription);
  const found = (isReported ? [] : dependencies).flatMap((dependency) =>
    effectsOn(change, dependency).map((finding) => [finding, dependency.by] as const),
  );
  return named(found, change.address);
}

const NETWORK_RULES = oneOf(`azurerm_storage_account_network_rules
  azurerm_servicebus_namespace_network_rule_set **/networkRuleSets**`);

const NOT_KNOWN = ": what that does to deliveries is not known to this command";

function effectsOn(change: PlannedChange, dependency: Dependency): Finding[] {
  const { action } = change;
  const { use, place } = dependency;
  const check = dependency.check === "destroyed" ? "publishers" : dependency.check;
  if (isPatch(change) && action === "delete" && change.before?.when !== "destroy") return [];
  if (change.type === "azapi_resource_action" || action === "unknown") {
    const what = action === "unknown" ? "what is done to it" : "what it does to a resource";
    return [unknown(check, `${what} is not known to this command`)];
  }
  // A subscription reports the end of what it names.
  const isNamedItself = place === "itself" && !isPatch(change);
  if (isNamedItself && (isDestroyed(change) || action === "create")) return [];
  if (action === "create" && isHarmless(change, CREATION, use)) return [];
  const names = relevantIn(change, use);
  // Network rules are judged.
  if (names.length === 0 || (use === "target" && NETWORK_RULES.test(typeOf(change)))) return [];
  const rows = NEIGHBOURS.filter(
    ({ types, uses }) => types.test(typeOf(change)) && uses.includes(use),
  );
  const judged = rows.flatMap((row) => judge(row, change, names, { ...dependency, check }));
  const before = isPatch(change) ? undefined : change.before;
  const isMissed =
    /create-delete|delete-create/.test(action) &&
    rows.some(
      (row) => isAbout(row, EXISTENCE) && row.keeps(before, undefined, dependency) !== true,
    );
  if (isMissed && judged.length === 0) {
    judged.push(unknown(check, "it is replaced, and missing for a moment"));
  }
  // The rules judge what a subscription names, and nothing behind it or in its source.
  const isUnasked = place === "behind" ? use === "target" : place === "below" && use === "source";
  const others = names.filter(
    (name) => (isUnasked || !isJudged(change, name)) && !rows.some((row) => isAbout(row, name)),
  );
  const isOther = names.includes(EXISTENCE) ? others.includes(EXISTENCE) : others.length > 0;
  return isOther ? [...judged, unknown(check, `${doneTo(change, others)}${NOT_KNOWN}`)] : judged;
}

/** Applies one row of the table to the attributes that change. */
function judge(row: Neighbour, change: PlannedChange, names: readonly string[], of: Dependency) {
  const changed = names.filter((name) => isAbout(row, name));
  const before = isPatch(change) ? undefined : change.before;
  const verdict = every(
    changed.map((name) => {
      const [old, next] = [before, change.after].map((side) =>
        name === EXISTENCE ? side : side?.[name],
      );
      const isLater = next === UNKNOWN && isConfigured(change, name, UNKNOWN);
      const kept = row.keeps(old, next, of);
      return kept && isLater ? undefined : kept;
    }),
  );
  if (verdict === true) return [];
  const what = verdict === undefined ? `it is not known whether ${row.says}` : row.says;
  const shown = changed.map((name) => shownChange(change, name)).join(", ");
  const message = change.action === "update" ? `${what} (${shown})` : what;
  const check = row.check ?? of.check;
  return verdict === false && !row.isOpen
    ? [lost(check, "LOST", message)]
    : [unknown(check, message)];
}

/** The name of an attribute, with its values where they are short and no secret. */
function shownChange(change: PlannedChange, name: string): string {
  const [old, next] = [change.before, change.after].map((side) => side?.[name]);
  const isShort = [old, next].every(
    (each) => each !== undefined && typeof each !== "object" && /^[\w.]{1,20}$/.test(String(each)),
  );
  return isShort && !change.isSensitive(name) ? `${name}: ${old} → ${next}` : name;
}

/** Describes the change of a resource: created, destroyed, or the attributes that change. */
export function doneTo(
  { action }: PlannedChange,
  names: readonly string[],
  most = names.length,
): string {
  const done = { create: "created", delete: "destroyed", unknown: "changed" };
  const isWhole = names.length === 0 || names.includes(EXISTENCE);
  if (isWhole) return `it is ${done[action as keyof typeof done] ?? "replaced"}`;
  const more = names.length > most ? ` and ${names.length - most} more` : "";
  const verb = names.length === 1 ? "changes" : "change";
  return `${names.slice(0, most).join(", ")}${more} ${verb}`;
}

/** The attributes that change; of azapi those that it writes. */
export function changedIn(change: PlannedChange): string[] {
  const { action, before = {}, after = {} } = change;
  if (isPatch(change)) {
    return Object.keys(after).filter((name) => after[name] != null && !isPlace(name));
  }
  if (action !== "update") return [EXISTENCE, ...Object.keys({ ...before, ...after })];
  const names = Object.keys(after.body === UNKNOWN ? after : { ...before, ...after }).filter(
    (name) =>
      !same(before[name], after[name]) &&
      (after[name] !== UNKNOWN || isConfigured(change, name, UNKNOWN)),
  );
  return change.isHidden ? [...names, "sensitive_body"] : names;
}

/** The attributes that change, and whose change is not known to be harmless. */
export function relevantIn(change: PlannedChange, use: Use): string[] {
  const changed = changedIn(change);
  const names = changed.filter((name) => !isHarmless(change, name, use));
  return changed.includes(EXISTENCE) && !names.includes(EXISTENCE) ? [] : names;
}

/** A service that had the endpoint of a topic, and has it no more, may have published there. */
export function endpointFindings(
  change: PlannedChange,
  sources: readonly PlannedChange[],
): Finding[] {
  const { action, before, after = {} } = change;
  if (action !== "update" || !isUser(change) || isBeside(change)) return [];
  const [old, next] = [before, after].map(leavesOf);
  const hosts = new Set(old?.flatMap(({ value }) => hostsIn(value)));
  for (const { value } of next ?? []) for (const host of hostsIn(value)) hosts.delete(host);
  const isLater = next?.some(({ value }) => value === UNKNOWN);
  const isNamed = (address: string) =>
    Object.keys(after).some((name) => change.origins(name).has(withoutIndices(address)));
  return sources
    .filter(({ before }) => hostsIn(before?.endpoint).some((host) => hosts.has(host)))
    .filter(({ address }) => !(isLater && isNamed(address)))
    .map(({ address }) => unknown("publishers", `it no longer has the endpoint of ${address}`));
}

/** What lets clients of MQTT into a namespace. */
const OF_MQTT = oneOf(`Microsoft.EventGrid/namespaces/(clients|clientGroups|topicSpaces)
  Microsoft.EventGrid/namespaces/(permissionBindings|caCertificates)`);

/** A new resource of Event Grid, or more topics in a topic space; azapi can change others by a new one. */
export function isOnlyAdded(change: PlannedChange): boolean {
  const { action, type, before, after } = change;
  const isMqtt = type === "azapi_resource" && OF_MQTT.test(typeOf(change));
  if (action === "create") return isMqtt || type.startsWith("azurerm_");
  const [old, next] = [before, after].map((side) => itemsOf(side?.topicTemplates));
  const isMore = next !== undefined && old?.every((each) => next.includes(each));
  return isMqtt && isMore === true && same(relevantIn(change, "source"), ["topicTemplates"]);
}

/** Resources that change how others work. */
const CONFIGURING =
  /azapi_(update_resource|resource_action)$|network_rule|_lock$|_policy$|_perimeter_/;

/** A change of something that is known only after the apply, and may be what deliveries depend on. */
export function adriftFindings(
  change: PlannedChange,
  graph: Graph,
  { found }: Dependencies,
): Finding[] {
  if (found.size === 0 || !CONFIGURING.test(change.type)) return [];
  const isAdrift = laterNames(change).some((name) => {
    const origins = [...change.origins(name)];
    const places = origins.flatMap((address) => graph.instances(address, change));
    return origins.length === 0 || places.some((each) => found.has(each.change));
  });
  return isAdrift ? [unknown("plan", "what it configures is known only after the apply")] : [];
}

/** Without its registration, Azure creates and changes nothing of a provider. */
export function registrationFindings(
  { type, action, before }: PlannedChange,
  names: readonly string[],
): Finding[] {
  if (type !== "azurerm_resource_provider_registration" || action !== "delete") return [];
  const { id, name } = before ?? {};
  const [subscription] = groupsOf(/(\/subscriptions\/[^/]*\/)/, String(idOf(id)));
  const isOf = (each: string) =>
    each.startsWith(subscription) && each.includes(`/providers/${String(name).toLowerCase()}/`);
  const message = `the registration of ${name} ends, which deliveries need: Azure refuses that while there are resources of it, and changes none without it`;
  return names.some(isOf) ? [unknown("destroyed", message)] : [];
}

/** Types that apply policies to resources which the plan does not name. */
const POLICIES =
  oneOf(`azurerm_*policy_remediation azurerm_management_group_subscription_association
  Microsoft.PolicyInsights/remediations Microsoft.Management/managementGroups/subscriptions`);

/**
 * A remediation changes what exists, and a subscription has the policies of its management group.
 *
 * @see https://learn.microsoft.com/azure/governance/policy/how-to/remediate-resources
 */
export function policyFindings(change: PlannedChange, names: readonly string[]): Finding[] {
  const type = typeOf(change);
  // Whoever ends a remediation leaves what it has changed.
  const isEnd = change.action === "delete" && /remediation/i.test(type);
  if (!POLICIES.test(type) || isEnd || changedIn(change).every(isDescriptive)) return [];
  const message = "policies that the plan does not show can change what deliveries depend on";
  return names.length > 0 ? [unknown("plan", message)] : [];
}

/** The attributes that change and that the rules judge, with their values. */
export function judgedChanges(change: PlannedChange, deciding: RegExp): string {
  if (change.action !== "update" || isPatch(change)) return "";
  const names = changedIn(change).filter((name) => isJudged(change, name) && deciding.test(name));
  return names.map((name) => shownChange(change, name)).join(", ");
}
