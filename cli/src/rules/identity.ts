import { Doubt, type Known } from "./answers.js";
import type { Sender } from "./network.js";
import { get, UNKNOWN } from "./values.js";
import type { Facts } from "./verdict.js";
import type { Resource, World } from "./world.js";

/** The resource with the identities: a topic of a domain has those of the domain. */
const OWNER =
  /^(.*\/providers\/Microsoft\.EventGrid\/(?:topics|systemTopics|partnerTopics|domains|namespaces)\/[^/]+)(?:\/topics\/[^/]+)?$/i;

/** The ID of the topic, domain or namespace whose identities deliver the events of a scope. */
function ownerOf(scope: string): string | undefined {
  return OWNER.exec(scope)?.[1];
}

export function senderOf(scope: unknown, identity: unknown): Sender {
  const type = get(identity, "type");
  const isUser =
    get(identity, "userAssignedIdentity") != null || /^UserAssigned$/i.test(String(type));
  return {
    owner: typeof scope === "string" ? (ownerOf(scope) ?? scope) : UNKNOWN,
    identity: identity == null ? undefined : isUser ? "UserAssigned" : "SystemAssigned",
  };
}

/** The principal that writes with an identity, or why there is none. */
export interface Writer {
  readonly principal?: string;
  /** The identity is there, although its principal is not known. */
  readonly isAttached?: boolean;
  readonly code?: string;
  readonly facts?: Facts;
  readonly doubt?: Doubt;
  readonly witnesses: readonly string[];
  /** Names the identity and its owner. */
  readonly subject: string;
}

/** Finds the identity of the resource whose events are delivered, or one that users manage. */
export async function writerOf(world: World, scope: unknown, identity: unknown): Promise<Writer> {
  const used = get(identity, "userAssignedIdentity") ?? undefined;
  const owner = typeof scope === "string" ? ownerOf(scope) : undefined;
  const subject = `${owner ?? String(scope)} ${String(used ?? "system")}`;
  if (typeof scope !== "string" || identity === UNKNOWN || used === UNKNOWN) {
    return { doubt: new Doubt("later", "its identity"), witnesses: [], subject };
  }
  const unread = new Doubt("hidden", `the identities of ${scope}`);
  const resource = owner === undefined ? unread : await world.resource(owner);
  const user = typeof used === "string" ? await world.resource(used) : undefined;
  if (typeof used === "string" && user === undefined) {
    return { code: "identity-missing", facts: { identity: used }, witnesses: [used], subject };
  }
  if (typeof used !== "string") return { ...systemIdentity(resource, owner ?? scope), subject };
  const attached = attachedTo(resource, used, owner ?? scope);
  if (attached !== undefined) return { ...attached, subject };
  if (user instanceof Doubt) return { doubt: user, witnesses: [], subject };
  const principal = get(user?.body, "properties", "principalId");
  const witnesses = [...witnessesOf(resource), ...witnessesOf(user)];
  if (typeof principal === "string") return { principal, witnesses, subject };
  const doubt = new Doubt("hidden", `the principal of ${used}`);
  return { doubt, isAttached: true, witnesses, subject };
}

type Finding = Omit<Writer, "subject">;

const witnessesOf = (found: Known<Resource | undefined>) =>
  found === undefined || found instanceof Doubt ? [] : found.witnesses;

function systemIdentity(resource: Known<Resource | undefined>, owner: string): Finding {
  if (resource instanceof Doubt) return { doubt: resource, witnesses: [] };
  const witnesses = witnessesOf(resource);
  const attached = get(resource?.body, "identity");
  const principal = get(attached, "principalId");
  const later = new Doubt("later", "its identity");
  if (attached === UNKNOWN) return { doubt: later, witnesses };
  if (typeof principal === "string" && principal !== "") return { principal, witnesses };
  const isAttached = /SystemAssigned/i.test(String(get(attached, "type")));
  if (isAttached || principal === UNKNOWN) return { doubt: later, isAttached, witnesses };
  return { code: "no-system-identity", facts: { owner }, witnesses };
}

/** Why a topic does not have an identity; undefined if it has it. */
function attachedTo(
  resource: Known<Resource | undefined>,
  identity: string,
  owner: string,
): Finding | undefined {
  if (resource instanceof Doubt) {
    // A part of Azure says nothing against it.
    return resource.why === "open" ? undefined : { doubt: resource, witnesses: [] };
  }
  const all = get(resource?.body, "identity", "userAssignedIdentities");
  const witnesses = witnessesOf(resource);
  if (all === UNKNOWN) return { doubt: new Doubt("later", "its identities"), witnesses };
  const ids = Object.keys(Object(all)).map((id) => id.toLowerCase());
  if (ids.includes(identity.toLowerCase())) return undefined;
  return { code: "identity-not-attached", facts: { owner, identity }, witnesses };
}
