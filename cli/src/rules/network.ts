import { type Answer, Doubt, no, unknown, yes } from "./answers.js";
import { get, isOneOf, UNKNOWN } from "./values.js";

const LATER = new Doubt("later", "its network rules");

/** The network rules of a resource, whichever service it belongs to. */
interface NetworkRules {
  readonly access: unknown;
  readonly defaultAction: unknown;
  /** True if trusted services of Azure pass. */
  readonly trustsServices: unknown;
  readonly resourceRules: unknown;
}

/** Reports whether a resource answers only what its network security perimeter lets in. */
export const isInPerimeter = (access: unknown): boolean => isOneOf(access, "SecuredByPerimeter");

/** Reports whether a value of `publicNetworkAccess` closes the public endpoint, or hands it to a perimeter. */
export const isNotPublic = (access: unknown): boolean =>
  isOneOf(access, "Disabled") || isInPerimeter(access);

/** Of a storage account. Azure trusts its services unless the account says otherwise. */
export function accountRules(body: unknown): NetworkRules {
  const of = (name: string) => get(body, "properties", "networkAcls", name);
  const bypass = of("bypass") ?? "AzureServices";
  return {
    access: get(body, "properties", "publicNetworkAccess"),
    defaultAction: of("defaultAction"),
    trustsServices: bypass === UNKNOWN ? UNKNOWN : /\bAzureServices\b/i.test(String(bypass)),
    resourceRules: of("resourceAccessRules"),
  };
}

/** Of a namespace of Service Bus or Event Hubs, whose rules are a resource of their own. */
export function brokerRules(body: unknown, ruleSet: unknown): NetworkRules {
  // Both write one setting.
  const written = [body, ruleSet].map((each) => get(each, "properties", "publicNetworkAccess"));
  const closing = written.find(isNotPublic);
  return {
    access: closing ?? (written.includes(UNKNOWN) ? UNKNOWN : (written[0] ?? written[1])),
    defaultAction: get(ruleSet, "properties", "defaultAction"),
    trustsServices: get(ruleSet, "properties", "trustedServiceAccessEnabled") ?? false,
    resourceRules: undefined,
  };
}

const IDENTITIES = ["SystemAssigned", "UserAssigned", undefined] as const;

/** Who writes to a destination. */
export interface Sender {
  /** The ID of the topic, domain, system topic or namespace. */
  readonly owner: unknown;
  /** Undefined if Event Grid writes with the keys of the destination. */
  readonly identity: (typeof IDENTITIES)[number] | typeof UNKNOWN;
}

export type Admission =
  | "open"
  | "trusted"
  | "trusted-without-public-access"
  | "perimeter"
  | "closed"
  | "closed-to-user-assigned"
  | "closed-without-identity"
  | "later";

/**
 * A firewall lets Event Grid in as a trusted service, with the system-assigned identity of the
 * topic and no other. What is exempt stays so when public access is switched off, but not in a perimeter.
 *
 * @see https://learn.microsoft.com/azure/event-grid/handler-storage-queues
 * @see https://learn.microsoft.com/azure/event-grid/consume-private-endpoints
 * @see https://learn.microsoft.com/azure/storage/common/storage-network-security
 */
export function admission(rules: NetworkRules, sender: Sender, isAccount: boolean): Admission {
  const { access, defaultAction, trustsServices, resourceRules } = rules;
  const { owner, identity } = sender;
  if (identity === UNKNOWN) {
    const each = IDENTITIES.map((one) => admission(rules, { owner, identity: one }, isAccount));
    if (each.every((one) => one === "closed" || one === "closed-to-user-assigned")) return "closed";
    const [first = "later", ...others] = new Set(each);
    return others.length === 0 ? first : "later";
  }
  if (isInPerimeter(access)) return "perimeter";
  if (access === UNKNOWN) return "later";
  const isClosed = isOneOf(access, "Disabled") || isOneOf(defaultAction, "Deny");
  if (!isClosed) return defaultAction === UNKNOWN ? "later" : "open";
  if (identity === "UserAssigned") return "closed-to-user-assigned";
  const rule = isAccount ? hasRuleFor(resourceRules, owner) : no();
  if (identity === "SystemAssigned" && (trustsServices === true || rule.is === "yes")) {
    // That the exemption outlives public access is documented of storage only.
    return isAccount || !isOneOf(access, "Disabled") ? "trusted" : "trusted-without-public-access";
  }
  const decides = identity === "SystemAssigned" || isAccount;
  if (decides && (trustsServices === UNKNOWN || rule.is === "unknown")) return "later";
  // One page lets Event Grid publish to storage, another one names system-assigned identities only.
  return isAccount && trustsServices === true ? "closed-without-identity" : "closed";
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** A rule names a resource; with `*`, all of a group or of an Azure subscription. */
function hasRuleFor(rules: unknown, owner: unknown): Answer {
  const list: readonly unknown[] = Array.isArray(rules) ? rules : [];
  if (rules === UNKNOWN || (owner === UNKNOWN && list.length > 0)) return unknown(LATER);
  const wanted = String(owner).toLowerCase().split("/");
  const isFor = (rule: unknown) => {
    const segments = textOf(get(rule, "resourceId")).toLowerCase().split("/");
    return (
      segments.length === wanted.length &&
      segments.every((each, index) => each === "*" || each === wanted[index])
    );
  };
  if (list.some(isFor)) return yes();
  return list.some((rule) => get(rule, "resourceId") === UNKNOWN) ? unknown(LATER) : no();
}
