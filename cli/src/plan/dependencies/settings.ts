import { get, UNKNOWN } from "../../rules/index.js";
import { idOf, type Side } from "../terraform/index.js";
import type { Dependency } from "./follow.js";

/** Settings of networks and of keys, as azurerm and Resource Manager call them. */
export const NETWORK = [
  ...["public_network_access_enabled", "public_network_access", "publicNetworkAccess"],
  ...["default_action", "defaultAction", "bypass", "ip_rules", "ipRules", "network_rules"],
  ...["virtual_network_subnet_ids", "virtualNetworkRules", "private_link_access", "networkAcls"],
  ...["network_rule_set", "network_rulesets", "trusted_services_allowed"],
  "trustedServiceAccessEnabled",
];
const KEYS = [
  ...["shared_access_key_enabled", "allowSharedKeyAccess", "local_auth_enabled"],
  ...["local_authentication_enabled", "disableLocalAuth"],
];

/** Whether clients may use keys; undefined if the plan does not say. */
export function areKeysOn(side: Side): boolean | undefined {
  const own = side ?? {};
  const switches = KEYS.slice(0, -1).map((name) => own[name]);
  if ([...switches, own.disableLocalAuth].includes(UNKNOWN)) return undefined;
  return !switches.includes(false) && own.disableLocalAuth !== true;
}

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
