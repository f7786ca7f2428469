import { isPrivate } from "../address.js";
import { any, Doubt, isTrue } from "./answers.js";
import { isInPerimeter } from "./network.js";
import { judgeKeys } from "./target.js";
import { get, isOneOf, UNKNOWN } from "./values.js";
import { ruling, type Verdict } from "./verdict.js";
import type { Resource, World } from "./world.js";

/**
 * Who can connect to a topic or a namespace: everybody, some addresses, or the networks of its private
 * endpoints.
 *
 * @see https://learn.microsoft.com/azure/event-grid/network-security
 */
export async function clientNetwork(world: World, topic: Resource): Promise<Verdict> {
  const { id, body, witnesses: own } = topic;
  const rule = ruling("publishers", "network", id, { id });
  const access = get(body, "properties", "publicNetworkAccess");
  const rules = get(body, "properties", "inboundIpRules");
  if (access === UNKNOWN || rules === UNKNOWN) {
    return rule.later("its network rules", own);
  }
  if (isInPerimeter(access)) {
    return rule.unknown(new Doubt("perimeter", id), own);
  }
  if (isOneOf(access, "Disabled")) {
    const { items, rest } = await world.privateEndpoints(topic);
    const ways = items.map((one) => ({ ...isTrue(one.isApproved), witnesses: [one.witness] }));
    const open = any(ways, rest);
    const witnesses = [...own, ...open.witnesses];
    if (open.is === "unknown") return rule.unknown(open.doubt ?? new Doubt("open", id), witnesses);
    return open.is === "yes"
      ? rule.warning("private-only", witnesses)
      : rule.failed("no-way-in", witnesses);
  }
  const masks = (Array.isArray(rules) ? rules : []).map((one) => String(get(one, "ipMask") ?? ""));
  if (masks.length === 0) return rule.ok(own);
  const isExcluded = (mask: string) => isPrivate(mask.replace(/\/.*/, "")) && !mask.endsWith("/0");
  const facts = { masks: masks.join(", ") };
  return masks.every(isExcluded)
    ? rule.failed("private-addresses", own, facts)
    : rule.warning("only-addresses", own, facts);
}

export const clientKeys = (topic: Resource): Verdict =>
  judgeKeys(topic, ruling("publishers", "keys", topic.id, { id: topic.id }), "warning");

/** True if IP rules have every rule that others have; both are lists such as `10.0.0.0/8, 1.2.3.4`. */
export function admitsAll(rules: string, others: string): boolean {
  const wide = rules.split(", ");
  return others.split(", ").every((mask) => wide.includes(mask));
}
