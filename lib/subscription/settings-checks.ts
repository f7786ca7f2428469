import type { Problem } from "cloud-eventgrid-binding-runtime/binding";
import {
  AZURE_LIMITS,
  bindingFields,
  choiceRule,
  type Deferral,
  existingSubscriptionNameRule,
  integerRule,
  isObject,
  patternRule,
  predicateRule,
  showValue,
} from "cloud-eventgrid-binding-runtime/contract";
import {
  boolean,
  type Check,
  type Checks,
  group,
  identityTypeRule,
  listOf,
  literal,
  nonEmptyString,
  problem,
  problemsOf,
  type Rule,
  repeated,
  required,
  resourceIdRule,
  timeRule,
  uuidRule,
  wrongType,
} from "../validation/index.js";
import { advancedFiltersCheck } from "./advanced-filter-rules.js";
import type {
  AdditionalScope,
  Batching,
  DeadLetterProps,
  DeliveryProperty,
  ManagedIdentity,
  RetryPolicy,
  ScopeSettings,
  SubjectFilter,
} from "./settings.js";

const eventTypeRule = patternRule({
  name: "event-type",
  requirement: "must be an event type: a string without spaces",
  pattern: "^[^ ]+$",
});
const headerRule = patternRule({
  name: "header",
  requirement: "must be the name of a header: letters, digits and hyphens",
  pattern: "^[a-zA-Z0-9-]+$",
});
const headerValueRule = predicateRule({
  name: "header-value",
  requirement: `must be a string of at most ${AZURE_LIMITS.deliveryPropertyBytes} bytes`,
  secret: true,
  test: (value) =>
    typeof value === "string" && Buffer.byteLength(value) <= AZURE_LIMITS.deliveryPropertyBytes,
});
const jsonPathRule = patternRule({
  name: "json-path",
  requirement: "must be the path of a value in the event, such as data.system",
  pattern: "^[^ ]+$",
});
const accountRule = patternRule({
  name: "storage-account-id",
  requirement:
    "must be the resource ID of a storage account " +
    "(/subscriptions/{id}/resourceGroups/{name}/providers/Microsoft.Storage/storageAccounts/{name})",
  pattern:
    "^/subscriptions/[0-9a-fA-F-]{36}/resource[gG]roups/[^/]+" +
    "/providers/[mM]icrosoft[.][sS]torage/storage[aA]ccounts/[^/]+$",
});
const containerRule = patternRule({
  name: "container-name",
  requirement:
    "must be the name of a container: 3 to 63 lower-case letters, digits and single hyphens",
  pattern: "^[a-z0-9](-?[a-z0-9]){2,62}$",
});

const limit = (
  name: "deliveryAttempts" | "eventTimeToLiveMinutes" | "eventsPerBatch" | "batchKilobytes",
) => integerRule(AZURE_LIMITS[name].min, AZURE_LIMITS[name].max);

/** The validation of subscription settings. */
export const settingsChecks: Checks<ScopeSettings> = {
  events: literal({ problems: catalogueProblems }),
  includedEventTypes: { problems: eventTypesProblems },
  subjectFilter: group<SubjectFilter>(
    { beginsWith: nonEmptyString, endsWith: nonEmptyString, caseSensitive: boolean },
    subjectProblems,
  ),
  advancedFilters: advancedFiltersCheck,
  filterArrays: boolean,
  retryPolicy: group<RetryPolicy>({
    maxDeliveryAttempts: limit("deliveryAttempts"),
    eventTimeToLiveMinutes: limit("eventTimeToLiveMinutes"),
  }),
  deadLetter: group<DeadLetterProps>({
    storageAccount: required(constructOr("id", accountRule)),
    container: required(constructOr("name", containerRule)),
    identity: group<ManagedIdentity & { readonly principalId?: string | undefined }>(
      {
        type: required(identityTypeRule),
        userAssignedIdentity: resourceIdRule,
        principalId: uuidRule,
      },
      identityProblems,
    ),
  }),
  batching: group<Batching>({
    maxEventsPerBatch: limit("eventsPerBatch"),
    preferredBatchSizeInKilobytes: limit("batchKilobytes"),
  }),
  deliveryProperties: listOf(
    group<DeliveryProperty>(
      {
        headerName: required(headerRule),
        value: headerValueRule,
        secret: boolean,
        sourceField: jsonPathRule,
      },
      deliveryPropertyProblems,
    ),
    { together: deliveryPropertiesProblems },
  ),
  labels: listOf(nonEmptyString),
  expirationTimeUtc: timeRule,
  existingSubscription: literal(choiceRule("adopt", "adopted")),
  adoptionLabel: nonEmptyString,
};

/** The validation of an additional scope in its long form. */
export function additionalScopeCheck(existing: boolean): Check {
  return group<AdditionalScope>({
    ...settingsChecks,
    scope: required(bindingFields.scope.rule),
    eventSubscriptionName: existing
      ? existingSubscriptionNameRule
      : bindingFields.eventSubscriptionName.rule,
  });
}

const eventTypes = listOf(eventTypeRule, {
  together: (types, field) => repeated(types, (i) => `${field}[${i}]`),
});

function catalogueProblems(field: string, value: unknown, deferral?: Deferral) {
  if (isObject(value) && "types" in value) {
    return problemsOf(listOf(eventTypeRule), `${field}.types`, value.types, deferral);
  }
  const requirement = "must be a catalogue of event types (a list belongs in includedEventTypes)";
  return [wrongType(field, requirement, value)];
}

function eventTypesProblems(field: string, value: unknown, deferral?: Deferral) {
  if (isObject(value) && "types" in value) {
    return [problem(field, "type", "must be a list, but is a catalogue: pass it as events")];
  }
  return problemsOf(eventTypes, field, value, deferral);
}

/** A string, or a construct that has it. */
function constructOr(name: "id" | "name", rule: Rule): Check {
  return {
    problems: (field, value, deferral) =>
      problemsOf(rule, field, isObject(value) ? (value[name] ?? value) : value, deferral),
  };
}

/** The provider reads a filter without either back as none, and would add it again at every plan. */
function subjectProblems({ beginsWith, endsWith }: SubjectFilter, field: string): Problem[] {
  if (beginsWith !== undefined || endsWith !== undefined) return [];
  const message = "must have beginsWith or endsWith: leave it out for every subject";
  return [problem(field, "required", message)];
}

function identityProblems(
  { type, userAssignedIdentity }: ManagedIdentity,
  field: string,
): Problem[] {
  const named = `${field}.userAssignedIdentity`;
  if (type === "UserAssigned" && userAssignedIdentity === undefined) {
    return [problem(named, "required", 'is required when type is "UserAssigned"')];
  }
  if (type === "SystemAssigned" && userAssignedIdentity !== undefined) {
    return [problem(named, "unused", 'is not used when type is "SystemAssigned": remove it')];
  }
  return [];
}

function deliveryPropertyProblems(property: DeliveryProperty, field: string): Problem[] {
  const { headerName, value, sourceField } = property;
  const problems: Problem[] = [];
  if (/^aeg-/i.test(headerName)) {
    const message = `must not begin with aeg-, which Event Grid reserves, but is ${showValue(headerName)}`;
    problems.push(problem(`${field}.headerName`, "reserved-header", message));
  }
  if (/^authorization$/i.test(headerName)) {
    const message = "must not be Authorization, which carries the token of the delivery";
    problems.push(problem(`${field}.headerName`, "reserved-header", message));
  }
  if ((value === undefined) === (sourceField === undefined)) {
    problems.push(problem(field, "value-or-source", "must have either a value or a sourceField"));
  }
  return problems;
}

function lowerCased(value: unknown): string | undefined {
  return typeof value === "string" ? value.toLowerCase() : undefined;
}

function deliveryPropertiesProblems(properties: readonly unknown[], field: string): Problem[] {
  const problems = repeated(
    properties.map((property) => lowerCased(isObject(property) ? property.headerName : undefined)),
    (i) => `${field}[${i}].headerName`,
  );
  const max = AZURE_LIMITS.deliveryProperties;
  if (properties.length <= max) return problems;
  const message = `must be at most ${max} headers, but there are ${properties.length}`;
  return [...problems, problem(field, "header-count", message)];
}
