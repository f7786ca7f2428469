import {
  AZURE_LIMITS,
  azureRules,
  bindingFields,
  boolean,
  type Check,
  type Checks,
  choiceRule,
  existingSubscriptionNameRule,
  isObject,
  nonEmptyString,
  type Problem,
  problem,
  type Rule,
  showValue,
  uuidRule,
  wrongType,
} from "cloud-eventgrid-binding-runtime/internal";
import { group, listOf, literal, problemsOf, repeated, required } from "../validation/index.js";
import { advancedFiltersCheck } from "./advanced-filters.js";
import type {
  AdditionalScope,
  Batching,
  DeadLetterContainer,
  DeadLetterProps,
  DeliveryProperty,
  ManagedIdentity,
  RetryPolicy,
  ScopeSettings,
  SubjectFilter,
} from "./settings.js";

const containerChecks: Checks<DeadLetterContainer> = {
  storageAccount: required(constructOr("id", azureRules.storageAccountId)),
  container: required(constructOr("name", azureRules.container)),
};

/** The check of a container into which an identity writes that is not chosen. */
export const containerCheck = group<DeadLetterContainer>(containerChecks);

export const settingsChecks: Checks<ScopeSettings> = {
  events: literal({ problems: catalogueProblems }),
  includedEventTypes: { problems: eventTypesProblems },
  subjectFilter: group<SubjectFilter>(
    { beginsWith: nonEmptyString, endsWith: nonEmptyString, caseSensitive: boolean },
    { together: subjectProblems },
  ),
  advancedFilters: advancedFiltersCheck,
  retryPolicy: group<RetryPolicy>({
    maxDeliveryAttempts: azureRules.maxDeliveryAttempts,
    eventTimeToLiveMinutes: azureRules.eventTimeToLiveMinutes,
  }),
  deadLetter: group<DeadLetterProps>({
    ...containerChecks,
    identity: group<ManagedIdentity & { readonly principalId?: string | undefined }>(
      {
        type: required(azureRules.identityType),
        userAssignedIdentity: azureRules.resourceId,
        principalId: uuidRule,
      },
      { together: managedIdentityProblems },
    ),
  }),
  batching: group<Batching>({
    maxEventsPerBatch: azureRules.maxEventsPerBatch,
    preferredBatchSizeInKilobytes: azureRules.preferredBatchSizeInKilobytes,
  }),
  deliveryProperties: listOf(
    group<DeliveryProperty>(
      {
        headerName: required(azureRules.header),
        value: azureRules.headerValue,
        secret: boolean,
        sourceField: azureRules.jsonPath,
      },
      { together: deliveryPropertyProblems },
    ),
    { together: deliveryPropertiesProblems },
  ),
  labels: listOf(nonEmptyString),
  existingSubscription: literal(choiceRule("adopt", "adopted")),
};

export function additionalScopeCheck(existing: boolean): Check {
  return group<AdditionalScope>({
    ...settingsChecks,
    scope: required(bindingFields.scope.rule),
    eventSubscriptionName: existing
      ? existingSubscriptionNameRule
      : bindingFields.eventSubscriptionName.rule,
  });
}

const includedTypesCheck = listOf(azureRules.eventType, {
  together: (types, field) => repeated(types, (i) => `${field}[${i}]`),
});

function catalogueProblems(field: string, value: unknown) {
  if (isObject(value) && "types" in value) {
    return problemsOf(listOf(azureRules.eventType), `${field}.types`, value.types);
  }
  const requirement = "must be a catalogue of event types (a list belongs in includedEventTypes)";
  return [wrongType(field, requirement, value)];
}

function eventTypesProblems(field: string, value: unknown) {
  if (isObject(value) && "types" in value) {
    return [problem(field, { type: "must be a list, but is a catalogue: pass it as events" })];
  }
  return problemsOf(includedTypesCheck, field, value);
}

/** A string, or a construct that has it. */
function constructOr(name: "id" | "name", rule: Rule): Check {
  return {
    problems: (field, value) =>
      problemsOf(rule, field, isObject(value) ? (value[name] ?? value) : value),
  };
}

/** The provider reads a filter without either back as none, and would add it again at every plan. */
function subjectProblems({ beginsWith, endsWith }: SubjectFilter, field: string): Problem[] {
  if (beginsWith !== undefined || endsWith !== undefined) return [];
  const message = "must have beginsWith or endsWith: leave it out for every subject";
  return [problem(field, { required: message })];
}

function managedIdentityProblems(
  { type, userAssignedIdentity }: ManagedIdentity,
  field: string,
): Problem[] {
  const named = `${field}.userAssignedIdentity`;
  if (type === "UserAssigned" && userAssignedIdentity === undefined) {
    return [problem(named, { required: 'is required when type is "UserAssigned"' })];
  }
  if (type === "SystemAssigned" && userAssignedIdentity !== undefined) {
    return [problem(named, { unused: 'is not used when type is "SystemAssigned": remove it' })];
  }
  return [];
}

function deliveryPropertyProblems(property: DeliveryProperty, field: string): Problem[] {
  const { headerName, value, sourceField, secret } = property;
  const problems: Problem[] = [];
  const name = String(headerName).toLowerCase();
  if (name.startsWith("aeg-")) {
    const message = `must not begin with aeg-, which Event Grid reserves, but is ${showValue(headerName)}`;
    problems.push(problem(`${field}.headerName`, { "reserved-header": message }));
  }
  if (name === "authorization") {
    const message = "must not be Authorization, which carries the token of the delivery";
    problems.push(problem(`${field}.headerName`, { "reserved-header": message }));
  }
  if ((value === undefined) === (sourceField === undefined)) {
    problems.push(
      problem(field, { "value-or-source": "must have either a value or a sourceField" }),
    );
  }
  if (sourceField !== undefined && secret !== undefined && secret !== false) {
    const message = "is not used with a sourceField, whose value is part of each event: remove it";
    problems.push(problem(`${field}.secret`, { unused: message }));
  }
  return problems;
}

function inLowerCase(value: unknown): string | undefined {
  return typeof value === "string" ? value.toLowerCase() : undefined;
}

function deliveryPropertiesProblems(properties: readonly unknown[], field: string): Problem[] {
  const problems = repeated(
    properties.map((property) => inLowerCase(isObject(property) ? property.headerName : undefined)),
    (i) => `${field}[${i}].headerName`,
  );
  const max = AZURE_LIMITS.deliveryProperties;
  if (properties.length <= max) return problems;
  const message = `must be at most ${max} headers, but there are ${properties.length}`;
  return [...problems, problem(field, { "header-count": message })];
}
