import { Fn, Op, Token } from "cdktf";
import {
  booleanRule,
  type Check,
  lengthRule,
  patternRule,
  received,
  type ValueRule,
} from "../validation/index.js";
import { type AdvancedFilter, FilterBuilder, MAX_FILTER_VALUES } from "./advanced-filters.js";

const operators = Object.getOwnPropertyNames(FilterBuilder.prototype).filter(
  (name) => name !== "constructor",
);
const withoutValues: readonly string[] = ["isNotNull", "isNullOrUndefined"];

/** Those without values count, too. */
const MAX_FILTERS = 25;

const keyRule = patternRule(
  "must name an attribute or a field of the data, such as data.amount",
  "[^ \\t\\r\\n]",
);
const textRule = lengthRule(512);
const numberRule: ValueRule = {
  must: "must be a finite number",
  shown: "text",
  holds: Number.isFinite,
  condition: (later) => Fn.can(Fn.tonumber(later)),
};
const rangeRule: ValueRule = {
  must: "must be a range of two finite numbers, the lower one first",
  shown: "range",
  holds: isRange,
  condition: (later) => {
    const [from, to] = [0, 1].map((end) => Fn.element(later, end));
    const right = Op.and(Op.eq(Fn.lengthOf(later), 2), Op.lte(from, to));
    return Token.asString(Fn.try([right, false]));
  },
};
const countRule: ValueRule = {
  must: `must be at most ${MAX_FILTER_VALUES}`,
  shown: "number",
  holds: (value) => Number(value) <= MAX_FILTER_VALUES,
  condition: (later) => Op.lte(later, MAX_FILTER_VALUES),
};

/** Keys and values of a subscription's advanced filters, each with what it must be. */
export function filterChecks(filters: readonly AdvancedFilter[], field: string): Check[] {
  if (filters.length === 0) return [];
  return [
    ...filters.flatMap((filter, i) => checksOf(filter, `${field}[${i}]`)),
    {
      field: `${field}: the number of all values`,
      value: numberOfValues(filters),
      rule: countRule,
    },
  ];
}

/** What is wrong with what advanced filters are made of. */
export function filterProblems(filters: readonly AdvancedFilter[], field: string): string[] {
  const tooMany =
    filters.length > MAX_FILTERS
      ? [`${field} must be at most ${MAX_FILTERS} filters, but there are ${filters.length}`]
      : [];
  const problems = filters.flatMap((filter, i) => {
    const { operator } = filter;
    if (!operators.includes(operator)) {
      return [
        `${field}[${i}] must be made by where("…"), but has the operator ${received(operator)}`,
      ];
    }
    if (withoutValues.includes(operator) || hasValues(filter)) return [];
    return [`${field}[${i}].${operator} must have at least one value`];
  });
  return [...tooMany, ...problems];
}

function checksOf(filter: AdvancedFilter, field: string): Check[] {
  const { key, operator } = filter;
  const values = { field: `${field}.${operator}`, rule: ruleOf(String(operator)) };
  return [
    { field: `${field}.key`, value: key ?? null, rule: keyRule },
    ...("value" in filter ? [{ ...values, value: filter.value }] : []),
    ...("values" in filter ? [{ ...values, value: filter.values, items: true }] : []),
    ...("values" in filter ? laterRanges(filter.values, values.field) : []),
  ];
}

/** Ranges with an end that is known only later, as one value each. */
function laterRanges(values: readonly unknown[], field: string): Check[] {
  if (!Array.isArray(values)) return [];
  return values.flatMap((range, i) =>
    isRange(range) && range.some((end) => Token.isUnresolved(end))
      ? [{ field: `${field}[${i}]`, value: Fn.tolist(range), rule: rangeRule }]
      : [],
  );
}

function ruleOf(operator: string): ValueRule {
  if (operator === "boolEquals") return booleanRule;
  if (operator.endsWith("InRange")) return rangeRule;
  return operator.startsWith("number") ? numberRule : textRule;
}

function hasValues(filter: AdvancedFilter): boolean {
  if ("values" in filter) return Array.isArray(filter.values) && filter.values.length > 0;
  return "value" in filter;
}

/** How many there are; a token where a list is known only later. */
function numberOfValues(filters: readonly AdvancedFilter[]): number {
  const lists = filters
    .flatMap((filter) => ("values" in filter ? [filter.values] : []))
    .filter((values) => Array.isArray(values));
  const later = lists.filter((values) => Token.isUnresolved(values));
  const known = lists.filter((values) => !Token.isUnresolved(values));
  const single = filters.filter((filter) => "value" in filter).length;
  const count = known.reduce((sum, values) => sum + values.length, single);
  if (later.length === 0) return count;
  return Token.asNumber(Fn.sum([count, ...later.map((values) => Fn.lengthOf(values))]));
}

/** The order of numbers that are known only later is left to Terraform. */
function isRange(value: unknown): value is number[] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [from, to] = value;
  if (![from, to].every((end) => Token.isUnresolved(end) || Number.isFinite(end))) return false;
  return Token.isUnresolved(from) || Token.isUnresolved(to) || from <= to;
}
