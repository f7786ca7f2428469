import { get, UNKNOWN } from "../../rules/index.js";
import { idOf, type Side } from "../terraform/index.js";

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
