import { Token } from "cdktf";
import {
  type AdvancedFilter,
  FilterBuilder,
  MAX_FILTER_VALUES,
  type Range,
} from "./advanced-filters.js";
import { received } from "./value-rule.js";

/** Longest text that an advanced filter may compare with. */
const MAX_TEXT = 512;

const operators = Object.getOwnPropertyNames(FilterBuilder.prototype).filter(
  (name) => name !== "constructor",
);
const withoutValues: readonly string[] = ["isNotNull", "isNullOrUndefined"];

/** What is wrong with a subscription's advanced filters, as far as it is known by now. */
export function filterProblems(filters: readonly AdvancedFilter[], field: string): string[] {
  const problems = filters.flatMap((filter, i) => problemsOf(filter, `${field}[${i}]`));
  const count = filters.reduce((sum, filter) => sum + countValues(filter), 0);
  if (count > MAX_FILTER_VALUES) {
    problems.push(
      `${field} must compare with at most ${MAX_FILTER_VALUES} values in all, but have ${count}`,
    );
  }
  return problems;
}

function countValues(filter: AdvancedFilter): number {
  if ("values" in filter) return Token.isUnresolved(filter.values) ? 0 : filter.values.length;
  return "value" in filter ? 1 : 0;
}

function problemsOf(filter: AdvancedFilter, field: string): string[] {
  const { operator, key } = filter;
  if (operator === undefined || !operators.includes(operator)) {
    return [`${field} must be made by where("…"), but has the operator ${received(operator)}`];
  }
  const name = `${field} (${operator})`;
  const problems: string[] = [];
  if (typeof key !== "string" || key.trim() === "") {
    problems.push(`${name} must name an attribute or a field of the data, such as data.amount`);
  }
  if ("values" in filter) {
    if (Token.isUnresolved(filter.values)) return problems;
    if (filter.values.length === 0) problems.push(`${name} must have at least one value`);
    for (const value of filter.values) problems.push(...valueProblems(value, name));
  } else if ("value" in filter) problems.push(...valueProblems(filter.value, name));
  else if (!withoutValues.includes(operator)) problems.push(`${name} must have at least one value`);
  return problems;
}

function valueProblems(value: boolean | number | string | Range, name: string): string[] {
  if (Token.isUnresolved(value)) return [];
  if (typeof value === "number" && !Number.isFinite(value)) {
    return [`${name} must compare with a finite number, but has ${received(value)}`];
  }
  if (typeof value === "string" && value.length > MAX_TEXT) {
    return [`${name} must compare with at most ${MAX_TEXT} characters, but has ${value.length}`];
  }
  if (typeof value === "object") {
    const [from, to] = value;
    if (!Token.isUnresolved(from) && !Token.isUnresolved(to) && from > to) {
      return [
        `${name} must have ranges that begin with the lower number, but has [${from}, ${to}]`,
      ];
    }
  }
  return [];
}
