import { BlockList, isIPv6 } from "node:net";
import { SECURE_WEBHOOK_ROLE } from "cloud-eventgrid-binding-runtime/internal";
import { get, UNKNOWN } from "../../rules/index.js";
import { blocksOf, idOf, type Side, same } from "../terraform/index.js";
import type { Dependency } from "./follow.js";

/** Settings of networks and of keys, as azurerm and Resource Manager call them. */
export const NETWORK = [
  ...["public_network_access_enabled", "public_network_access", "publicNetworkAccess"],
  ...["default_action", "defaultAction", "bypass", "ip_rules", "ipRules", "network_rules"],
  ...["virtual_network_subnet_ids", "virtualNetworkRules", "private_link_access", "networkAcls"],
  ...["network_rule_set", "network_rulesets", "trusted_services_allowed"],
  "trustedServiceAccessEnabled",
];
export const KEYS = [
  ...["shared_access_key_enabled", "allowSharedKeyAccess", "local_auth_enabled"],
  ...["local_authentication_enabled", "disableLocalAuth"],
];

export const isLater = (part: unknown) => ([part].flat().includes(UNKNOWN) ? undefined : false);

/** Whether Event Grid may come in, by the network rules of a resource, or of one that has only these. */
export function isLetIn(isAccount: boolean) {
  return (side: Side, { identity, check }: Dependency): boolean | undefined => {
    const own = side ?? {};
    const nested = isAccount
      ? [own.network_rules, own.networkAcls]
      : [own.network_rule_set, own.network_rulesets];
    const [rules = own] = nested.flatMap(blocksOf);
    if (rules === UNKNOWN) return undefined;
    const names = ["public_network_access_enabled", "public_network_access", "publicNetworkAccess"];
    const access = [own, rules].flatMap((one) => names.map((name) => one[name]));
    const action = rules.default_action ?? rules.defaultAction;
    const trusted =
      rules.trusted_services_allowed ??
      rules.trusted_service_access_enabled ??
      rules.trustedServiceAccessEnabled ??
      rules.bypass ??
      (isAccount && "AzureServices");
    if ([action, ...access, trusted].flat().includes(UNKNOWN)) return undefined;
    const isOff = access.some(isClosed);
    if (!isOff && !/^Deny$/i.test(String(action))) return true;
    const isTrusted = [trusted]
      .flat()
      .some((one) => one === true || /AzureServices/i.test(String(one)));
    if (!isTrusted) return false;
    // Without an identity, only publishing to storage queues is documented.
    if (!identity && !isAccount) return false;
    if (!identity && check !== "destination") return undefined;
    // User-assigned identities do not pass, by some pages. Nor is it documented everywhere whether the
    // exception outlives public access.
    return isOff || get(identity, "userAssignedIdentity") ? undefined : true;
  };
}

const isClosed = (access: unknown) =>
  access === false || /^(Disabled|SecuredByPerimeter)$/i.test(String(access));

/** Whether clients may use keys; undefined if the plan does not say. */
export function areKeysOn(side: Side): boolean | undefined {
  const own = side ?? {};
  const switches = KEYS.slice(0, -1).map((name) => own[name]);
  if ([...switches, own.disableLocalAuth].includes(UNKNOWN)) return undefined;
  return !switches.includes(false) && own.disableLocalAuth !== true;
}

export function isPublic(side: Side): boolean {
  const own = side ?? {};
  const { public_network_access_enabled: enabled, public_network_access: access } = own;
  return ![enabled, access, own.publicNetworkAccess].some(isClosed);
}

/** Whether an inbound IP rule admits all addresses of another. */
export function covers(rule: unknown, other: unknown): boolean {
  if (same(rule, other)) return true;
  const [wide, narrow] = [rule, other].map((one) => {
    const mask = String(get(one, "ip_mask") ?? get(one, "ipMask"));
    const [address = "", prefix] = mask.split("/");
    const family = isIPv6(address) ? ("ipv6" as const) : ("ipv4" as const);
    return { address, family, prefix: Number(prefix ?? (family === "ipv6" ? 128 : 32)) };
  });
  if (wide === undefined || narrow === undefined || wide.family !== narrow.family) return false;
  if (!(wide.prefix <= narrow.prefix)) return false;
  try {
    const list = new BlockList();
    list.addSubnet(wide.address, wide.prefix, wide.family);
    return list.check(narrow.address, narrow.family);
  } catch {
    return false;
  }
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

export const isSubscriberRole = (role: unknown) =>
  get(role, "value") === SECURE_WEBHOOK_ROLE && ![false, UNKNOWN].includes(Object(role).enabled);
