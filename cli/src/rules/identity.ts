import { isOfType, parentOf } from "../resource-id.js";
import { Doubt, type Known } from "./answers.js";
import type { Sender } from "./network.js";
import { get, isOneOf, UNKNOWN } from "./values.js";
import type { ruling, Verdict } from "./verdict.js";
import type { Resource, World } from "./world.js";

/** The types of resources that have identities, and those of their topics. */
const OWNERS = [
  "Microsoft.EventGrid/topics",
  "Microsoft.EventGrid/systemTopics",
  "Microsoft.EventGrid/partnerTopics",
  "Microsoft.EventGrid/domains",
  "Microsoft.EventGrid/namespaces",
] as const;
const OWNED = [
  "Microsoft.EventGrid/domains/topics",
  "Microsoft.EventGrid/namespaces/topics",
] as const;

/** The ID of the topic, domain or namespace whose identities deliver the events of a scope. */
export function ownerOf(scope: string): string | undefined {
  if (isOfType(scope, ...OWNED)) return parentOf(scope);
  return isOfType(scope, ...OWNERS) ? scope : undefined;
}

export function senderOf(scope: unknown, identity: unknown): Sender {
  const [type, user] = [get(identity, "type"), get(identity, "userAssignedIdentity")];
  const isUser = typeof user === "string" || isOneOf(type, "UserAssigned");
  const isOpen = type === UNKNOWN || user === UNKNOWN;
  const kind = isUser ? "UserAssigned" : isOpen ? UNKNOWN : "SystemAssigned";
  return {
    owner: typeof scope === "string" ? (ownerOf(scope) ?? scope) : UNKNOWN,
    identity: identity == null ? undefined : kind,
  };
}

/** What is known of an identity that writes: whether it is there, and its principal if it is. */
interface Judged {
  readonly verdict: Verdict;
  readonly principal?: Known<string>;
}

type Rule = ReturnType<typeof ruling>;

/**
 * Judges whether the resource whose events are delivered has the identity, its own one or one that users
 * manage.
 *
 * @param ruleFor makes the rule for a text that names the identity and its owner
 */
export async function judgeIdentity(
  world: World,
  scope: unknown,
  identity: unknown,
  ruleFor: (subject: string) => Rule,
): Promise<Judged & { readonly subject: string }> {
  const used = get(identity, "userAssignedIdentity");
  const owner = typeof scope === "string" ? ownerOf(scope) : undefined;
  const subject = `${owner ?? String(scope)} ${String(used ?? "system")}`;
  const rule = ruleFor(subject);
  if (typeof scope !== "string" || identity === UNKNOWN || used === UNKNOWN) {
    return { verdict: rule.later("its identity"), subject };
  }
  const unread = new Doubt("hidden", `the identities of ${scope}`);
  const holder = owner === undefined ? unread : await world.resource(owner);
  const judged =
    typeof used === "string"
      ? judgeUser(holder, used, await world.resource(used), rule, owner ?? scope)
      : judgeSystem(holder, rule, owner ?? scope);
  return { ...judged, subject };
}

type Found = Known<Resource | undefined>;

const witnessesOf = (found: Found) =>
  found === undefined || found instanceof Doubt ? [] : found.witnesses;

function judgeSystem(holder: Found, rule: Rule, owner: string): Judged {
  if (holder instanceof Doubt) return { verdict: rule.unknown(holder) };
  const witnesses = witnessesOf(holder);
  const attached = get(holder?.body, "identity");
  const principal = get(attached, "principalId");
  const later = new Doubt("later", "its identity");
  if (attached === UNKNOWN) return { verdict: rule.unknown(later, witnesses) };
  const isKnown = typeof principal === "string" && principal !== "";
  if (isKnown) return { verdict: rule.ok(witnesses), principal };
  if (/SystemAssigned/i.test(String(get(attached, "type")))) {
    return { verdict: rule.ok(witnesses), principal: later };
  }
  if (principal === UNKNOWN) return { verdict: rule.unknown(later, witnesses) };
  return { verdict: rule.failed("no-system-identity", witnesses, { owner }) };
}

function judgeUser(
  holder: Found,
  identity: string,
  user: Found,
  rule: Rule,
  owner: string,
): Judged {
  const facts = { owner, identity };
  if (user === undefined) return { verdict: rule.failed("identity-missing", [identity], facts) };
  // A part of Azure says nothing against it.
  const isOpen = holder instanceof Doubt && holder.why === "open";
  if (holder instanceof Doubt && !isOpen) return { verdict: rule.unknown(holder) };
  const body = holder instanceof Doubt ? undefined : holder?.body;
  const all = get(body, "identity", "userAssignedIdentities");
  const witnesses = witnessesOf(holder);
  if (all === UNKNOWN) {
    return { verdict: rule.later("its identities", witnesses) };
  }
  const ids = Object.keys(Object(all)).map((id) => id.toLowerCase());
  if (!isOpen && !ids.includes(identity.toLowerCase())) {
    return { verdict: rule.failed("identity-not-attached", witnesses, facts) };
  }
  if (user instanceof Doubt) return { verdict: rule.unknown(user) };
  const principal = get(user.body, "properties", "principalId");
  const hidden = new Doubt("hidden", `the principal of ${identity}`);
  return {
    verdict: rule.ok([...witnesses, ...user.witnesses]),
    principal: typeof principal === "string" ? principal : hidden,
  };
}
