import * as v from "valibot";
import { expected, textAt } from "../../base/index.js";
import type { AcceptedEvent, EventContent } from "../events/index.js";
import { compileAdvancedFilter, type FilterCondition } from "./advanced-filter.js";

/** Selects events of the scope; an event must match every condition. */
export interface EventFilter {
  /** Exact types, compared case-insensitively. @default all */
  readonly includedEventTypes?: readonly string[] | undefined;
  /** @default any */
  readonly subjectBeginsWith?: string | undefined;
  /** @default any */
  readonly subjectEndsWith?: string | undefined;
  /** @default false */
  readonly isSubjectCaseSensitive?: boolean | undefined;
  /** Conditions on attributes and data, with 25 values in total. @default none */
  readonly advancedFilters?: readonly FilterCondition[] | undefined;
  /** Whether advanced filters compare elements of arrays. @default false */
  readonly enableAdvancedFilteringOnArrays?: boolean | undefined;
}

/** Returns the condition that an event fails; `undefined` if the event matches. */
export type FailedCondition = (event: AcceptedEvent, content: EventContent) => string | undefined;

/** Compiles a filter to a function. */
export function compileFilter(filter: EventFilter): FailedCondition {
  const included = filter.includedEventTypes?.map((type) => type.toLowerCase()) ?? [];
  // Older clients write the single entry "All" instead of leaving the types out.
  const types = included.length > 0 && !included.includes("all") ? new Set(included) : undefined;
  const fold = (text: string) => (filter.isSubjectCaseSensitive ? text : text.toLowerCase());
  const begin = fold(filter.subjectBeginsWith ?? "");
  const end = fold(filter.subjectEndsWith ?? "");
  const conditions = (filter.advancedFilters ?? []).map((each) => ({
    matches: compileAdvancedFilter(each, filter.enableAdvancedFilteringOnArrays ?? false),
    text: conditionText(each),
  }));
  return (event, content) => {
    if (types && !types.has(event.type.toLowerCase())) return "includedEventTypes";
    const subject = fold(event.subject ?? "");
    if (!subject.startsWith(begin)) return `subjectBeginsWith "${filter.subjectBeginsWith}"`;
    if (!subject.endsWith(end)) return `subjectEndsWith "${filter.subjectEndsWith}"`;
    return conditions.find(({ matches }) => !matches(content))?.text;
  };
}

/** For example `data.total NumberGreaterThan 100`. */
function conditionText(filter: FilterCondition): string {
  const { key, operatorType } = filter;
  const operand = "values" in filter ? filter.values : "value" in filter ? filter.value : undefined;
  return `${key} ${operatorType}${operand === undefined ? "" : ` ${JSON.stringify(operand)}`}`;
}

const MAX_VALUES = 25;
const MAX_VALUE_LENGTH = 512;

/** The kind of value that each operator compares with. */
const OPERATORS: Readonly<Record<FilterCondition["operatorType"], Kind>> = {
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

/** The names of all operators. */
export const operatorTypes: readonly string[] = Object.keys(OPERATORS);

type Kind = "boolean" | "number" | "numbers" | "ranges" | "strings" | "nothing";

/** Checks that key and operator are strings; `filterProblems` checks the rest. */
export const advancedFilter = v.custom<FilterCondition>(
  (filter) => textAt(filter, "key") !== undefined && textAt(filter, "operatorType") !== undefined,
  expected("an object with a key and an operatorType"),
);

/** Everything that the service would refuse in a filter, which may come from untyped JSON. */
export function* filterProblems({ advancedFilters = [] }: EventFilter): Generator<string> {
  const values = advancedFilters.map(valuesOf);
  const count = values.reduce((sum, each) => sum + Math.max(1, each.length), 0);
  if (count > MAX_VALUES) {
    yield `Advanced filters may have ${MAX_VALUES} values in total, not ${count}.`;
  }
  for (const [index, filter] of advancedFilters.entries()) {
    const problem = problemOf(filter, values[index] ?? []);
    if (problem) yield `advancedFilters[${index}] is invalid: ${problem}.`;
  }
}

function problemOf(filter: FilterCondition, values: readonly unknown[]): string | undefined {
  if (!Object.hasOwn(OPERATORS, filter.operatorType)) {
    return `the operator '${filter.operatorType}' is unknown; known operators: ${operatorTypes.join(", ")}`;
  }
  if (!filter.key) return "it has no key";
  const kind = OPERATORS[filter.operatorType];
  if (kind === "nothing") return undefined;
  if (values.length === 0) return `${filter.operatorType} needs a value`;
  const invalid = values.find((value) => !tests[kind](value));
  if (invalid !== undefined) {
    return `${filter.operatorType} compares with ${wordings[kind]}, not ${JSON.stringify(invalid)}`;
  }
  return undefined;
}

const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);

const tests: Readonly<Record<Exclude<Kind, "nothing">, (value: unknown) => boolean>> = {
  boolean: (value) => typeof value === "boolean",
  number: isNumber,
  numbers: isNumber,
  ranges: (value) => Array.isArray(value) && value.length === 2 && value.every(isNumber),
  strings: (value) => typeof value === "string" && value.length <= MAX_VALUE_LENGTH,
};

const wordings: Readonly<Record<Exclude<Kind, "nothing">, string>> = {
  boolean: "true or false",
  number: "a number",
  numbers: "numbers",
  ranges: "pairs of numbers",
  strings: `strings of at most ${MAX_VALUE_LENGTH} characters`,
};

function valuesOf(filter: FilterCondition): readonly unknown[] {
  if ("values" in filter) return Array.isArray(filter.values) ? filter.values : [filter.values];
  return "value" in filter && filter.value !== undefined ? [filter.value] : [];
}
