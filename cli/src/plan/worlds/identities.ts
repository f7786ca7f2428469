import { itemsOf } from "../../collections.js";
import { parentOf } from "../../resource-id.js";
import { get, UNKNOWN } from "../../rules/index.js";
import { leavesOf, namesOf, partOf } from "../graph/index.js";
import {
  idOf,
  isPatch,
  kindOf,
  oneOf,
  type PlannedChange,
  type Side,
  typeOf,
  value,
} from "../terraform/index.js";

const SYSTEM = "system";

/** The identities in an attribute: {@link SYSTEM}, and the IDs of others; undefined if they are not known. */
export function identitiesOf(identity: unknown): unknown[] | undefined {
  const [block] = itemsOf(identity);
  const ids = get(block, "identity_ids") ?? get(block, "userAssignedIdentities") ?? [];
  const list = Array.isArray(ids) ? ids : Object.keys(Object(ids));
  const type = get(block, "type");
  if ([block, type, ids, ...list].includes(UNKNOWN)) return undefined;
  return [...(/SystemAssigned/i.test(String(type)) ? [SYSTEM] : []), ...list.map(idOf)];
}

export const CREDENTIAL = oneOf(`**federated_?identity_?credentials?
  azuread_(application|service_principal)_(password|certificate)`);
/** @see https://learn.microsoft.com/entra/identity/conditional-access/workload-identity */
export const ACCESS_POLICY = oneOf("azuread_conditional_access_policy");
/** How such a policy names all service principals of the tenant. */
export const SERVICE_PRINCIPALS = idOf("ServicePrincipalsInMyTenant");
/** The addresses or countries that such policies name. */
export const LOCATION = oneOf("azuread_named_location");
/** A cluster, of any cloud, can issue the tokens that federated credentials trust. */
export const CLUSTER = oneOf("**clusters?");
/** The attributes that name whom a credential is of. */
const OWNERS = [
  ...["application_id", "application_object_id", "service_principal_id"],
  ...["user_assigned_identity_id", "parent_id"],
];
export const ENTRA = oneOf("azuread_(application|application_registration|service_principal|user)");

/** The names of the identities that sign in with a resource: a credential, or a service that has them. */
export function signedInWith(change: PlannedChange): unknown[] {
  const { before, after, type } = change;
  if (ACCESS_POLICY.test(type)) return applications("included", before, after);
  if (CREDENTIAL.test(typeOf(change)) && isPatch(change)) {
    return [parentOf(String(partOf(change)))];
  }
  if (before === undefined || kindOf(change) !== undefined) return [];
  if (CREDENTIAL.test(typeOf(change))) return [idOf(value(before, ...OWNERS))];
  if (ENTRA.test(type)) return [...namesOf(change)];
  return identitiesOf(before.identity)?.filter((id) => id !== SYSTEM) ?? [];
}

/** The service principals that a policy exempts before the apply and afterwards, if it is there. */
export function exemptFrom({ before, after = before, type }: PlannedChange): unknown[] {
  if (!ACCESS_POLICY.test(type)) return [];
  const exempt = applications("excluded", after);
  return applications("excluded", before ?? after).filter((id) => exempt.includes(id));
}

function applications(how: "included" | "excluded", ...sides: readonly Side[]): unknown[] {
  const leaves = sides.flatMap((side) => leavesOf(side));
  const named = leaves.filter(({ path }) => path.endsWith(`${how}_service_principals`));
  return named.map(({ value }) => idOf(value));
}
