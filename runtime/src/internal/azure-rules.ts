import { AZURE_LIMITS, hyphenatedName } from "../binding/index.js";
import {
  choiceRule,
  eventTypeRule,
  integerRule,
  patternRule,
  predicateRule,
  type Rule,
} from "../validation/index.js";

/**
 * The rules of Azure for values that are no fields of a binding: the settings of an event subscription, and what
 * belongs to one. The constructs and the commands check values by them.
 */
export const azureRules = {
  eventType: eventTypeRule,
  /** A name with a dot that is not in the data never exists, because attributes have no fields. */
  filterKey: patternRule({
    requirement: {
      "filter-key": "must name an attribute or a field of the data, such as data.amount",
    },
    pattern: "^([^ .]+|[dD][aA][tT][aA][.][^ ]+)$",
  }),
  filterText: predicateRule({
    requirement: {
      length: `must be a string of at most ${AZURE_LIMITS.advancedFilterCharacters} characters`,
    },
    length: { max: AZURE_LIMITS.advancedFilterCharacters },
    test: (value) =>
      typeof value === "string" && value.length <= AZURE_LIMITS.advancedFilterCharacters,
  }),
  maxDeliveryAttempts: within(AZURE_LIMITS.deliveryAttempts),
  eventTimeToLiveMinutes: within(AZURE_LIMITS.eventTimeToLiveMinutes),
  maxEventsPerBatch: within(AZURE_LIMITS.eventsPerBatch),
  preferredBatchSizeInKilobytes: within(AZURE_LIMITS.batchKilobytes),
  header: patternRule({
    requirement: { header: "must be the name of a header: letters, digits and hyphens" },
    pattern: "^[a-zA-Z0-9-]+$",
  }),
  headerValue: predicateRule({
    requirement: {
      "header-value": `must be a string of at most ${AZURE_LIMITS.deliveryPropertyBytes} bytes`,
    },
    secret: true,
    test: (value) =>
      typeof value === "string" && Buffer.byteLength(value) <= AZURE_LIMITS.deliveryPropertyBytes,
  }),
  jsonPath: patternRule({
    requirement: { "json-path": "must be the path of a value in the event, such as data.system" },
    pattern: "^[^ ]+$",
  }),
  storageAccountId: patternRule({
    requirement: {
      "storage-account-id":
        "must be the resource ID of a storage account " +
        "(/subscriptions/{id}/resourceGroups/{name}/providers/Microsoft.Storage/storageAccounts/{name})",
    },
    pattern:
      "^/subscriptions/[0-9a-fA-F-]{36}/resource[gG]roups/[^/]+" +
      "/providers/[mM]icrosoft[.][sS]torage/storage[aA]ccounts/[^/]+$",
  }),
  /** @see https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata */
  container: patternRule({
    requirement: {
      "container-name":
        "must be the name of a container: 3 to 63 lower-case letters, digits and single hyphens",
    },
    pattern: "^(?=.{3,63}$)[a-z0-9]+(-[a-z0-9]+)*$",
  }),
  /** A resource ID within a resource group. */
  resourceId: patternRule({
    requirement: {
      "resource-id":
        "must be a resource ID that begins with /subscriptions/{id}/resourceGroups/{name}/providers/",
    },
    pattern:
      "^/subscriptions/[0-9a-fA-F-]{36}/resource[gG]roups/[^/]+/providers/[^/]+(/[^/]+/[^/]+)+$",
  }),
  /**
   * A region by its name or as the portal shows it, which azurerm and azapi turn into the name. Which
   * ones exist, only the subscription knows.
   * @see https://learn.microsoft.com/azure/reliability/regions-list
   */
  location: patternRule({
    requirement: { location: "must be a region such as westeurope" },
    pattern: "^[a-zA-Z][a-zA-Z0-9]*( [a-zA-Z0-9]+)*$",
  }),
  /** @see https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules#microsoftresources */
  resourceGroupName: predicateRule({
    requirement: {
      "resource-group-name":
        "must be the name of a resource group: 1 to 90 letters, digits, hyphens, underscores, periods " +
        "and parentheses, without a period at the end",
    },
    test: (value) =>
      typeof value === "string" && /^[\p{L}\p{N}_().-]{0,89}[\p{L}\p{N}_()-]$/u.test(value),
  }),
  identityType: choiceRule("SystemAssigned", "UserAssigned"),
  principalType: choiceRule("User", "Group", "ServicePrincipal"),
  topicName: hyphenatedName("topic-name", AZURE_LIMITS.topicNameCharacters),
  /** In the only form that Azure reads back unchanged: any other would differ at every plan. */
  time: patternRule({
    requirement: { time: "must be a time in UTC and whole seconds such as 2030-01-01T00:00:00Z" },
    pattern:
      "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$",
  }),
  /** How long to wait until new role assignments take effect. */
  roleEffectSeconds: integerRule(0, 3600),
} as const satisfies Readonly<Record<string, Rule>>;

/** The value that each operator of an advanced filter compares with, by the names of the provider azurerm. */
export const filterOperators = {
  isNotNull: "none",
  isNullOrUndefined: "none",
  boolEquals: "boolean",
  numberGreaterThan: "number",
  numberGreaterThanOrEquals: "number",
  numberLessThan: "number",
  numberLessThanOrEquals: "number",
  numberIn: "numbers",
  numberNotIn: "numbers",
  numberInRange: "ranges",
  numberNotInRange: "ranges",
  stringIn: "strings",
  stringNotIn: "strings",
  stringBeginsWith: "strings",
  stringNotBeginsWith: "strings",
  stringEndsWith: "strings",
  stringNotEndsWith: "strings",
  stringContains: "strings",
  stringNotContains: "strings",
} as const;

function within({ min, max }: { readonly min: number; readonly max: number }): Rule {
  return integerRule(min, max);
}
