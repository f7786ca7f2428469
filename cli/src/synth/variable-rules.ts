import {
  AZURE_LIMITS,
  azureRules,
  bindingFields,
  existingSubscriptionNameRule,
  filterOperators,
  integerRule,
  type Rule,
  uuidRule,
} from "cloud-eventgrid-binding-runtime/internal";
import { hclValue } from "./hcl.js";

/** A requirement that only Terraform can check, such as the length of a list. */
interface HclRule {
  readonly requirement: string;
  condition(value: string): string;
}

const { advancedFilters, advancedFilterValues, deliveryProperties } = AZURE_LIMITS;

const filterCount: HclRule = {
  requirement: `must be at most ${advancedFilters} filters`,
  condition: (filters) => `length(${filters}) <= ${advancedFilters}`,
};
const filterValueCount: HclRule = {
  requirement: `must have at most ${advancedFilterValues} values in total`,
  condition: (filters) =>
    `sum(concat([0], [for filter in ${filters} : ` +
    "try(length(filter.numbers), 0) + try(length(filter.ranges), 0) + try(length(filter.strings), 0) + " +
    `(filter.boolean == null && filter.number == null ? 0 : 1)])) <= ${advancedFilterValues}`,
};
const headerCount: HclRule = {
  requirement: `must be at most ${deliveryProperties} headers`,
  condition: (properties) => `length(${properties}) <= ${deliveryProperties}`,
};
/** The operators by the names of azurerm's blocks. */
const operator: HclRule = {
  requirement: "must be an operator of azurerm, such as string_in",
  condition: (name) =>
    `contains(${hclValue(Object.keys(filterOperators).map(snakeCased))}, ${name})`,
};

/**
 * The rules of the module's variables, which are those of the constructs. `?` follows what may be null,
 * and `[]` stands for each item of a list or a map.
 */
const rules: readonly (readonly [path: string, ...(Rule | HclRule)[]])[] = [
  ["tenant_id", uuidRule],
  ["subscription_id", uuidRule],
  ["client_id", uuidRule],
  ["app_role_id", uuidRule],
  ["event_grid_application_id", uuidRule],
  ["subscriber_endpoint", bindingFields.subscriberEndpoint.rule],
  ["handshake_port", bindingFields.handshakePort.rule],
  ["scope", bindingFields.scope.rule],
  ["event_subscription_name", existingSubscriptionNameRule],
  ["topic_endpoint", bindingFields.topicEndpoint.rule],
  ["topic?.name", azureRules.topicName],
  ["topic?.identity?.type", azureRules.identityType],
  ["probe?.timeout_seconds", integerRule(1, 3600)],
  ["included_event_types[]", azureRules.eventType],
  ...filterRules("advanced_filters"),
  ["additional_scopes[].scope", bindingFields.scope.rule],
  ["additional_scopes[].event_subscription_name?", existingSubscriptionNameRule],
  ["additional_scopes[].included_event_types[]", azureRules.eventType],
  ...filterRules("additional_scopes[].advanced_filters"),
  ["max_events_per_batch", azureRules.maxEventsPerBatch],
  ["preferred_batch_size_in_kilobytes", azureRules.preferredBatchSizeInKilobytes],
  ["max_delivery_attempts", azureRules.maxDeliveryAttempts],
  ["event_time_to_live_minutes", azureRules.eventTimeToLiveMinutes],
  ["dead_letter?.storage_account_id", azureRules.storageAccountId],
  ["dead_letter?.container", azureRules.container],
  ["dead_letter?.identity?.type", azureRules.identityType],
  ["delivery_properties", headerCount],
  ["delivery_properties[].header_name", azureRules.header],
  ["delivery_properties[].source_field?", azureRules.jsonPath],
  ["expiration_time_utc?", azureRules.time],
  ["writer_principals[].object_id", uuidRule],
  ["writer_principals[].principal_type", azureRules.principalType],
  ["role_effect_seconds?", azureRules.roleEffectSeconds],
];

function filterRules(path: string): readonly (readonly [string, ...(Rule | HclRule)[]])[] {
  return [
    [path, filterCount, filterValueCount],
    [`${path}[].operator`, operator],
    [`${path}[].key`, azureRules.filterKey],
    [`${path}[].strings?[]`, azureRules.filterText],
  ];
}

/** Adds to the variables of a file the validations that their rules require. */
export function withRules(file: string): string {
  return rules.reduce((text, [path, ...ofPath]) => {
    const [variable = ""] = /^\w+/.exec(path) ?? [];
    const blocks = ofPath.map((rule) => validation(path, rule)).join("");
    const end = new RegExp(`(?<=^variable "${variable}" \\{\\n(?: .*\\n|\\n)*)(?=\\})`, "m");
    return text.replace(end, () => blocks);
  }, file);
}

function validation(path: string, rule: Rule | HclRule): string {
  const name = path.replaceAll("?", "").replaceAll("[]", "[*]");
  return `
  validation {
    condition     = ${conditionAt(`var.${/^\w+/.exec(path)}`, path.replace(/^\w+/, ""), rule, 0)}
    error_message = ${hclValue(`${name} ${rule.requirement}.`)}
  }
`;
}

/** @param rest of the path, after what `value` stands for */
function conditionAt(value: string, rest: string, rule: Rule | HclRule, depth: number): string {
  if (rest.startsWith("?")) {
    return `${value} == null ? true : ${conditionAt(value, rest.slice(1), rule, depth)}`;
  }
  if (rest.startsWith("[]")) {
    const item = `item${depth || ""}`;
    const each = conditionAt(item, rest.slice(2), rule, depth + 1);
    return `alltrue([for ${item} in ${value} : ${each}])`;
  }
  const [attribute = ""] = /^[.]\w+/.exec(rest) ?? [];
  if (attribute === "")
    return "condition" in rule ? rule.condition(value) : conditionOf(rule, value);
  return conditionAt(value + attribute, rest.slice(attribute.length), rule, depth);
}

function conditionOf({ pattern, choices, range, length }: Rule, value: string): string {
  if (pattern !== undefined) return `can(regex(${hclValue(pattern)}, ${value}))`;
  if (choices !== undefined) return `contains(${hclValue(choices.map(String))}, ${value})`;
  if (length?.max !== undefined) return `length(${value}) <= ${length.max}`;
  if (range === undefined) throw new TypeError("Terraform cannot check this rule");
  return `floor(${value}) == ${value} && ${value} >= ${range.min} && ${value} <= ${range.max}`;
}

function snakeCased(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
