import { Fn, Token } from "cdktf";
import {
  AZURE_LIMITS,
  isObject,
  type Problem,
  patternRule,
  predicateRule,
  problemOf,
  showValue,
} from "cloud-eventgrid-binding-runtime/internal";
import {
  booleanRule,
  lengthRule,
  listOf,
  type PlanRule,
  problem,
  type RuleOrSpec,
  required,
  type Spec,
  validateProps,
} from "../validation/index.js";
import { type AdvancedFilter, FilterBuilder } from "./advanced-filters.js";

const { advancedFilters: MAX_FILTERS, advancedFilterValues: MAX_VALUES } = AZURE_LIMITS;

const operators = Object.getOwnPropertyNames(FilterBuilder.prototype).filter(
  (name) => name !== "constructor",
);

const keyRule = patternRule({
  name: "filter-key",
  requirement: "must name an attribute or a field of the data, such as data.amount",
  pattern: "^[^ ]+$",
});
const textRule = lengthRule(AZURE_LIMITS.advancedFilterCharacters);
const numberRule: PlanRule = {
  ...predicateRule({
    name: "number",
    requirement: "must be a finite number",
    test: Number.isFinite,
  }),
  condition: (later) => Fn.can(Fn.tonumber(later)),
};
const rangeRule = predicateRule({
  name: "number-range",
  requirement: "must be a range of two finite numbers, the lower one first",
  test: isRange,
});

/** The validation of `advancedFilters`. */
export const advancedFiltersSpec = listOf({ validate: validateFilter }, wholeProblems);

function validateFilter(...[field, filter, findings]: Parameters<Spec["validate"]>): void {
  const operator = isObject(filter) ? String(filter.operator) : "";
  if (!isObject(filter) || !operators.includes(operator)) {
    const message = `must be written with where("…"), but is ${showValue(filter)}`;
    findings.problems.push(problem(field, "type", message));
    return;
  }
  const { key, value, values } = filter;
  const specs: Record<string, RuleOrSpec> = { key: required(keyRule) };
  if (operator.endsWith("InRange")) specs[operator] = rangesSpec;
  else if (values !== undefined) specs[operator] = listOf(ruleOf(operator), emptyProblem);
  else if (!operator.startsWith("isN")) specs[operator] = required(ruleOf(operator));
  validateProps(specs, { key, [operator]: values ?? value }, `${field}.`, findings);
}

function ruleOf(operator: string): PlanRule {
  if (operator === "boolEquals") return booleanRule;
  return operator.startsWith("number") ? numberRule : textRule;
}

/**
 * Ranges are lists themselves, so a range that contains a token must not be mistaken for a token.
 */
const rangesSpec: Spec = {
  validate(field, values, { problems }) {
    if (!Array.isArray(values)) return;
    problems.push(...emptyProblem(values, field));
    for (const [i, range] of values.entries()) {
      const found = problemOf(rangeRule, `${field}[${i}]`, range);
      if (found !== undefined) problems.push(found);
    }
  },
};

/** The order of numbers that are known only later is left to Azure. */
function isRange(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [from, to] = value;
  if (Token.isUnresolved(from) || Token.isUnresolved(to)) return true;
  return Number.isFinite(from) && Number.isFinite(to) && from <= to;
}

function emptyProblem(values: readonly unknown[], field: string): Problem[] {
  return values.length > 0 ? [] : [problem(field, "empty", "must have at least one value")];
}

function wholeProblems(given: readonly unknown[], field: string): Problem[] {
  const filters = given as readonly AdvancedFilter[];
  const problems: Problem[] = [];
  if (filters.length > MAX_FILTERS) {
    const message = `must be at most ${MAX_FILTERS} filters, but there are ${filters.length}`;
    problems.push(problem(field, "filter-count", message));
  }
  // A list that is known only later is counted by the provider.
  const count = filters.reduce((sum, filter) => {
    if ("value" in filter) return sum + 1;
    return "values" in filter && Array.isArray(filter.values) ? sum + filter.values.length : sum;
  }, 0);
  if (count > MAX_VALUES) {
    const message = `must have at most ${MAX_VALUES} values in total, but have ${count}`;
    problems.push(problem(field, "filter-value-count", message));
  }
  return problems;
}
