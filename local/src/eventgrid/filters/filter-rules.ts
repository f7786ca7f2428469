import { textAt } from "../../control-plane/json-fields.js";
import type { AdvancedFilter } from "./advanced-filter.js";
import type { EventFilter } from "./event-filter.js";

const MOST_VALUES = 25;
const LONGEST_VALUE = 512;

/** The kind of value that each operator compares with. */
const OPERATORS: Readonly<Record<AdvancedFilter["operatorType"], Kind>> = {
  BoolEquals: "boolean",
  NumberGreaterThan: "number",
  NumberGreaterThanOrEquals: "number",
  NumberLessThan: "number",
  NumberLessThanOrEquals: "number",
  NumberIn: "numbers",
  NumberNotIn: "numbers",
  NumberInRange: "ranges",
  NumberNotInRange: "ranges",
  StringIn: "strings",
  StringNotIn: "strings",
  StringContains: "strings",
  StringNotContains: "strings",
  StringBeginsWith: "strings",
  StringNotBeginsWith: "strings",
  StringEndsWith: "strings",
  StringNotEndsWith: "strings",
  IsNullOrUndefined: "nothing",
  IsNotNull: "nothing",
};

type Kind = "boolean" | "number" | "numbers" | "ranges" | "strings" | "nothing";

/** As far as it takes to let the rules judge operator and values. */
export function isAdvancedFilter(filter: unknown): filter is AdvancedFilter {
  return textAt(filter, "key") !== undefined && textAt(filter, "operatorType") !== undefined;
}

/** What the service would refuse in a filter; it may come from JSON, so nothing is taken on trust. */
export function* filterProblems({ advancedFilters = [] }: EventFilter): Generator<string> {
  const values = advancedFilters.map(valuesOf);
  const count = values.reduce((sum, each) => sum + Math.max(1, each.length), 0);
  if (count > MOST_VALUES) {
    yield `Advanced filters may have ${MOST_VALUES} values in all, not ${count}.`;
  }
  for (const [index, filter] of advancedFilters.entries()) {
    const problem = problemOf(filter, values[index] ?? []);
    if (problem) yield `advancedFilters[${index}] is invalid: ${problem}.`;
  }
}

function problemOf(filter: AdvancedFilter, values: readonly unknown[]): string | undefined {
  if (!Object.hasOwn(OPERATORS, filter.operatorType)) {
    return `the operator '${filter.operatorType}' is unknown; there are ${Object.keys(OPERATORS).join(", ")}`;
  }
  if (!filter.key) return "it has no key";
  const kind = OPERATORS[filter.operatorType];
  if (kind === "nothing") return undefined;
  if (values.length === 0) return `${filter.operatorType} needs a value`;
  const wrong = values.find((value) => !tests[kind](value));
  if (wrong !== undefined) {
    return `${filter.operatorType} compares with ${wordings[kind]}, not ${JSON.stringify(wrong)}`;
  }
  return undefined;
}

const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);

const tests: Readonly<Record<Exclude<Kind, "nothing">, (value: unknown) => boolean>> = {
  boolean: (value) => typeof value === "boolean",
  number: isNumber,
  numbers: isNumber,
  ranges: (value) => Array.isArray(value) && value.length === 2 && value.every(isNumber),
  strings: (value) => typeof value === "string" && value.length <= LONGEST_VALUE,
};

const wordings: Readonly<Record<Exclude<Kind, "nothing">, string>> = {
  boolean: "true or false",
  number: "a number",
  numbers: "numbers",
  ranges: "pairs of numbers",
  strings: `strings of ${LONGEST_VALUE} characters at most`,
};

function valuesOf(filter: AdvancedFilter): readonly unknown[] {
  if ("values" in filter) return Array.isArray(filter.values) ? filter.values : [filter.values];
  return "value" in filter && filter.value !== undefined ? [filter.value] : [];
}
