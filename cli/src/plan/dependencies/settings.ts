import { get, UNKNOWN } from "../../rules/index.js";
import { idOf, type Side } from "../terraform/index.js";
import type { Dependency } from "./follow.js";

const isClosed = (access: unknown) =>
  access === false || /^(Disabled|SecuredByPerimeter)$/i.test(String(access));

function isPublic(side: Side): boolean {
  const own = side ?? {};
  const { public_network_access_enabled: enabled, public_network_access: access } = own;
  return ![enabled, access, own.publicNetworkAccess].some(isClosed);
}

/** Without public access nothing else leads to a topic; with it, nobody knows what a client resolves. */
export function isElsewhereReached({ source }: Dependency): boolean | undefined {
  return source?.after === undefined || isPublic(source.after) ? undefined : false;
}

export const SYSTEM = "system";

/** The identities of a resource: {@link SYSTEM}, and the IDs of others; undefined if they are not known. */
export function identitiesOf(side: Side): unknown[] | undefined {
  const [block] = [side?.identity ?? []].flat();
  const ids = get(block, "identity_ids") ?? get(block, "userAssignedIdentities") ?? [];
  const list = Array.isArray(ids) ? ids : Object.keys(Object(ids));
  const type = get(block, "type");
  if ([block, type, ids, ...list].includes(UNKNOWN)) return undefined;
  return [...(/SystemAssigned/i.test(String(type)) ? [SYSTEM] : []), ...list.map(idOf)];
}

/** Whether the needed identities, or all, are still there; undefined if they are not known. */
export function hasAll(
  before: Side,
  after: Side,
  needed?: readonly unknown[],
): boolean | undefined {
  const [old, next] = [identitiesOf(before), identitiesOf(after)];
  if (old === undefined || next === undefined) return undefined;
  return (needed ?? old).every((one) => !old.includes(one) || next.includes(one));
}
