import {
  booleanRule,
  bytesRule,
  type Check,
  identityTypeRule,
  integerRule,
  listOnce,
  onceInAnyCase,
  patternRule,
  received,
  resourceIdRule,
  textRule,
  timeRule,
  uuidRule,
  type ValueRule,
} from "../validation/index.js";
import { containerName, storageAccountId } from "./dead-letter.js";
import { filterChecks, filterProblems } from "./filter-rules.js";
import type {
  DeadLetterProps,
  DeliveryProperty,
  ManagedIdentity,
  SubscriptionSettings,
} from "./settings.js";

const MAX_DELIVERY_PROPERTIES = 10;

const attemptsRule = integerRule(1, 30);
const minutesRule = integerRule(1, 1440);
const batchRule = integerRule(1, 5000);
const kilobytesRule = integerRule(1, 1024);
const headerValueRule = bytesRule(4096);
const eventTypeRule = patternRule(
  "must be an event type: a text without white space",
  "^[^ \\t\\r\\n]+$",
);
const headerRule = patternRule(
  "must be a header's name: letters, digits and hyphens",
  "^[a-zA-Z0-9-]+$",
);
const accountRule = patternRule(
  "must be the resource ID of a storage account " +
    "(/subscriptions/{id}/resourceGroups/{name}/providers/Microsoft.Storage/storageAccounts/{name})",
  "^/subscriptions/[0-9a-fA-F-]{36}/resource[gG]roups/[^/]+/providers/[mM]icrosoft[.][sS]torage/storage[aA]ccounts/[^/]+$",
);
const containerRule = patternRule(
  "must be a container's name: 3 to 63 lower-case letters, digits and single hyphens",
  "^[a-z0-9](-?[a-z0-9]){2,62}$",
);
const jsonPathRule = patternRule(
  "must say where in the event the value is, such as data.system",
  "^[^ \\t\\r\\n]+$",
);

/** Single values of a subscription's settings, each with what it must be. */
export function subscriptionChecks(settings: SubscriptionSettings, prefix = ""): Check[] {
  const { retryPolicy, batching, subjectFilter, deadLetter, deliveryProperties = [] } = settings;
  const at = (field: string, value: unknown, rule: ValueRule): Check => ({
    field: `${prefix}${field}`,
    value,
    rule,
  });
  return [
    at("retryPolicy.maxDeliveryAttempts", retryPolicy?.maxDeliveryAttempts, attemptsRule),
    at("retryPolicy.eventTimeToLive", retryPolicy?.eventTimeToLive, minutesRule),
    at("batching.maxEventsPerBatch", batching?.maxEventsPerBatch, batchRule),
    at(
      "batching.preferredBatchSizeInKilobytes",
      batching?.preferredBatchSizeInKilobytes,
      kilobytesRule,
    ),
    at("subjectFilter.beginsWith", subjectFilter?.beginsWith, textRule),
    at("subjectFilter.endsWith", subjectFilter?.endsWith, textRule),
    at("subjectFilter.caseSensitive", subjectFilter?.caseSensitive, booleanRule),
    at("filterArrays", settings.filterArrays, booleanRule),
    at("expirationTimeUtc", settings.expirationTimeUtc, timeRule),
    { ...at("events.types", settings.events?.types, eventTypeRule), items: true },
    { ...at("includedEventTypes", settings.includedEventTypes, eventTypeRule), items: true },
    ...listOnce(`${prefix}includedEventTypes`, settings.includedEventTypes ?? []),
    { ...at("labels", settings.labels, textRule), items: true },
    ...filterChecks(settings.advancedFilters ?? [], `${prefix}advancedFilters`),
    ...deliveryProperties.flatMap((property, i) => [
      {
        ...at(`deliveryProperties[${i}].headerName`, property.headerName, headerRule),
        required: true,
      },
      at(`deliveryProperties[${i}].sourceField`, property.sourceField, jsonPathRule),
      at(`deliveryProperties[${i}].value`, property.value, headerValueRule),
      at(`deliveryProperties[${i}].secret`, property.secret, booleanRule),
    ]),
    ...onceInAnyCase(
      deliveryProperties.map(({ headerName }) => headerName),
      (i) => `${prefix}deliveryProperties[${i}].headerName`,
    ),
    ...(deadLetter ? deadLetterChecks(deadLetter, `${prefix}deadLetter`) : []),
    at("deliveryIdentity.principalId", settings.deliveryIdentity?.principalId, uuidRule),
    ...identityChecks(settings.deliveryIdentity, `${prefix}deliveryIdentity`),
  ];
}

/** What is wrong with a subscription's settings as a whole, where it is known by now. */
export function subscriptionProblems(settings: SubscriptionSettings, prefix = ""): string[] {
  const { deliveryProperties = [], advancedFilters = [] } = settings;
  return [
    ...subjectProblems(settings, `${prefix}subjectFilter`),
    ...filterProblems(advancedFilters, `${prefix}advancedFilters`),
    ...propertyProblems(deliveryProperties, `${prefix}deliveryProperties`),
    ...identityProblems(settings.deliveryIdentity, `${prefix}deliveryIdentity`),
    ...identityProblems(settings.deadLetter?.identity, `${prefix}deadLetter.identity`),
  ];
}

/** The provider reads a filter of neither back as none, and would add it again at every plan. */
function subjectProblems({ subjectFilter }: SubscriptionSettings, field: string): string[] {
  if (subjectFilter === undefined) return [];
  const { beginsWith, endsWith } = subjectFilter;
  if (beginsWith !== undefined || endsWith !== undefined) return [];
  return [`${field} must have beginsWith or endsWith: leave it out for every subject`];
}

function deadLetterChecks(deadLetter: DeadLetterProps, field: string): Check[] {
  const { identity } = deadLetter;
  return [
    {
      field: `${field}.storageAccount`,
      value: storageAccountId(deadLetter),
      rule: accountRule,
      required: true,
    },
    {
      field: `${field}.container`,
      value: containerName(deadLetter),
      rule: containerRule,
      required: true,
    },
    { field: `${field}.identity.principalId`, value: identity?.principalId, rule: uuidRule },
    ...identityChecks(identity, `${field}.identity`),
  ];
}

function identityChecks(identity: ManagedIdentity | undefined, field: string): Check[] {
  if (identity === undefined) return [];
  const { type, userAssignedIdentity } = identity;
  return [
    { field: `${field}.type`, value: type, rule: identityTypeRule, required: true },
    { field: `${field}.userAssignedIdentity`, value: userAssignedIdentity, rule: resourceIdRule },
  ];
}

function identityProblems(identity: ManagedIdentity | undefined, field: string): string[] {
  if (identity === undefined) return [];
  const { type, userAssignedIdentity } = identity;
  if (type === "UserAssigned" && userAssignedIdentity === undefined) {
    return [`${field}.userAssignedIdentity is required where type is "UserAssigned"`];
  }
  if (type === "SystemAssigned" && userAssignedIdentity !== undefined) {
    return [`${field}.userAssignedIdentity is not used where type is "SystemAssigned": remove it`];
  }
  return [];
}

function propertyProblems(properties: readonly DeliveryProperty[], field: string): string[] {
  const problems = properties.flatMap((property, i) => propertyProblem(property, `${field}[${i}]`));
  if (properties.length > MAX_DELIVERY_PROPERTIES) {
    problems.push(
      `${field} must be at most ${MAX_DELIVERY_PROPERTIES} headers, but are ${properties.length}`,
    );
  }
  return problems;
}

function propertyProblem(property: DeliveryProperty, field: string): string[] {
  const { headerName, value, sourceField } = property;
  const problems: string[] = [];
  if (/^aeg-/i.test(headerName)) {
    problems.push(
      `${field}.headerName must not begin with aeg-, which Event Grid keeps for itself, but is ${received(headerName)}`,
    );
  }
  if (/^authorization$/i.test(headerName)) {
    problems.push(
      `${field}.headerName must not be Authorization: it carries the token that Event Grid signs deliveries with`,
    );
  }
  if ((value === undefined) === (sourceField === undefined)) {
    problems.push(`${field} must have either a value or a sourceField`);
  }
  return problems;
}
