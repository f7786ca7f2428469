import { field, isOfType, listAt, propertiesIn, sameText, textAt } from "../../../base/index.js";
import type { Resources } from "../../engine/index.js";

/*
 * Whether the firewall of a destination admits Event Grid, and whether it takes access keys. Resources
 * that are not here may be elsewhere, and are not judged.
 */

/** Who sends to a destination. */
export interface Sender {
  /** The topic, domain, system topic or namespace. */
  readonly ownerId: string;
  /** The type of the identity; `undefined` if Event Grid uses the destination's keys. */
  readonly identity: string | undefined;
}

/** Why a storage account refuses Event Grid. `undefined` if it does not. */
export function accountProblem(
  resources: Resources,
  accountId: string,
  { ownerId, identity }: Sender,
): string | undefined {
  const properties = field(resources.get(accountId)?.body, "properties");
  const access = textAt(properties, "publicNetworkAccess");
  const action = textAt(properties, "networkAcls", "defaultAction");
  const bypass = textAt(properties, "networkAcls", "bypass") ?? "AzureServices";
  const hasRule = listAt(properties, "networkAcls", "resourceAccessRules").some((rule) =>
    isRuleFor(textAt(rule, "resourceId"), ownerId),
  );
  const firewall = {
    isClosed: sameText(access, "Disabled") || sameText(action, "Deny"),
    admits:
      identity === "SystemAssigned"
        ? /\bAzureServices\b/i.test(bypass) || hasRule
        : identity === undefined && /\bAzureServices\b/i.test(bypass),
    remedy: "Allow trusted services (bypass AzureServices)",
  };
  const takesKeys = field(properties, "allowSharedKeyAccess") !== false;
  return problemOf(`storage account '${accountId}'`, { access, identity, takesKeys, firewall });
}

/** Types of resources for which a storage account can have a rule. */
const RULE_TYPES = [
  "Microsoft.EventGrid/topics",
  "Microsoft.EventGrid/domains",
  "Microsoft.EventGrid/systemTopics",
  "Microsoft.EventGrid/partnerTopics",
] as const;

/**
 * A rule names a resource, or with `*` all of a group or of a subscription.
 *
 * @see https://learn.microsoft.com/azure/storage/common/storage-network-security-trusted-azure-services
 */
function isRuleFor(rule: string | undefined, ownerId: string): boolean {
  if (rule === undefined || !isOfType(ownerId, ...RULE_TYPES)) return false;
  const wanted = ownerId.split("/");
  const segments = rule.split("/");
  return (
    segments.length === wanted.length &&
    segments.every((each, index) => each === "*" || sameText(each, wanted[index]))
  );
}

/** As `accountProblem`, for a namespace of Service Bus or Event Hubs. */
export function messagingProblem(
  resources: Resources,
  namespaceId: string,
  { identity }: Sender,
): string | undefined {
  const properties = field(resources.get(namespaceId)?.body, "properties");
  const ruleSet = resources.get(`${namespaceId}/networkRuleSets/default`)?.body;
  const access =
    textAt(properties, "publicNetworkAccess") ??
    textAt(propertiesIn(ruleSet), "publicNetworkAccess");
  const firewall = {
    isClosed:
      sameText(access, "Disabled") ||
      sameText(textAt(propertiesIn(ruleSet), "defaultAction"), "Deny"),
    admits:
      identity === "SystemAssigned" &&
      field(propertiesIn(ruleSet), "trustedServiceAccessEnabled") === true,
    remedy: "Deliver with a system-assigned identity and set trustedServiceAccessEnabled",
  };
  const takesKeys = field(properties, "disableLocalAuth") !== true;
  return problemOf(`namespace '${namespaceId}'`, { access, identity, takesKeys, firewall });
}

/**
 * A firewall never admits user-assigned identities. A perimeter overrides the firewall with its
 * exceptions; its rules are not served here, and so it admits nobody.
 *
 * @see https://learn.microsoft.com/azure/event-grid/consume-private-endpoints#firewall-and-virtual-network-rules
 * @see https://learn.microsoft.com/azure/storage/common/storage-network-security-perimeter#access-modes
 */
function problemOf(
  what: string,
  {
    access,
    identity,
    takesKeys,
    firewall,
  }: Pick<Sender, "identity"> & {
    readonly access: string | undefined;
    readonly takesKeys: boolean;
    readonly firewall: {
      readonly isClosed: boolean;
      readonly admits: boolean;
      readonly remedy: string;
    };
  },
): string | undefined {
  if (sameText(access, "SecuredByPerimeter")) {
    return `The ${what} is secured by a network security perimeter, which does not admit Event Grid.`;
  }
  if (firewall.isClosed && !firewall.admits) {
    const cause =
      identity === "UserAssigned"
        ? "does not admit user-assigned identities. Use a system-assigned one"
        : `does not admit Event Grid. ${firewall.remedy}`;
    return `The firewall of the ${what} ${cause}.`;
  }
  if (takesKeys || identity !== undefined) return undefined;
  return `The ${what} refuses access keys, which Event Grid uses without an identity. Use an identity.`;
}
