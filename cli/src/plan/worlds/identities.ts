import { get, UNKNOWN } from "../../rules/index.js";
import { namesOf } from "../graph/index.js";
import { idOf, kindOf, type PlannedChange, type Side, typeOf, value } from "../terraform/index.js";

const SYSTEM = "system";

/** The identities of a resource: {@link SYSTEM}, and the IDs of others; undefined if they are not known. */
export function identitiesOf(side: Side): unknown[] | undefined {
  const [block] = [side?.identity ?? []].flat();
  const ids = get(block, "identity_ids") ?? get(block, "userAssignedIdentities") ?? [];
  const list = Array.isArray(ids) ? ids : Object.keys(Object(ids));
  const type = get(block, "type");
  if ([block, type, ids, ...list].includes(UNKNOWN)) return undefined;
  return [...(/SystemAssigned/i.test(String(type)) ? [SYSTEM] : []), ...list.map(idOf)];
}

/** True if all identities are still there; undefined if they are not known. */
export function hasAll(before: Side, after: Side): boolean | undefined {
  const [old, next] = [identitiesOf(before), identitiesOf(after)];
  return old && next && old.every((one) => next.includes(one));
}

export const CREDENTIAL =
  /federated_?identity_?credentials?$|^azuread_(application|service_principal)_(password|certificate)$/i;
/** The attributes that name whom a credential is of. */
const OWNERS = [
  ...["application_id", "application_object_id", "service_principal_id"],
  ...["user_assigned_identity_id", "parent_id"],
];
export const ENTRA = /^azuread_(application(_registration)?|service_principal|user)$/;

/** The names of the identities that sign in with a resource: a credential, or a service that has them. */
export function signedInWith(change: PlannedChange): unknown[] {
  const { before, type } = change;
  if (before === undefined || kindOf(change) !== undefined) return [];
  if (CREDENTIAL.test(typeOf(change))) return [idOf(value(before, ...OWNERS))];
  if (ENTRA.test(type)) return [...namesOf(change)];
  return identitiesOf(before)?.filter((id) => id !== SYSTEM) ?? [];
}
