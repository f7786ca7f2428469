import type { EventContent } from "../events/index.js";
import { keyReader, textReader } from "./filter-key.js";

/** Bounds of a range, both included. */
export type NumberRange = readonly [from: number, to: number];

/** A condition on one key, as Resource Manager writes it. */
export type FilterCondition = { readonly key: string } & (
  | { readonly operatorType: "BoolEquals"; readonly value: boolean }
  | { readonly operatorType: keyof typeof numberComparisons; readonly value: number }
  | { readonly operatorType: "NumberIn" | "NumberNotIn"; readonly values: readonly number[] }
  | {
      readonly operatorType: "NumberInRange" | "NumberNotInRange";
      readonly values: readonly NumberRange[];
    }
  | { readonly operatorType: StringOperator; readonly values: readonly string[] }
  | { readonly operatorType: "IsNullOrUndefined" | "IsNotNull" }
);

type StringOperator =
  | "StringIn"
  | "StringNotIn"
  | "StringContains"
  | "StringNotContains"
  | "StringBeginsWith"
  | "StringNotBeginsWith"
  | "StringEndsWith"
  | "StringNotEndsWith";

const numberComparisons = {
  NumberGreaterThan: (value: number, bound: number) => value > bound,
  NumberGreaterThanOrEquals: (value: number, bound: number) => value >= bound,
  NumberLessThan: (value: number, bound: number) => value < bound,
  NumberLessThanOrEquals: (value: number, bound: number) => value <= bound,
};

const equals = (value: string, wanted: string) => value === wanted;
const contains = (value: string, wanted: string) => value.includes(wanted);
const begins = (value: string, wanted: string) => value.startsWith(wanted);
const ends = (value: string, wanted: string) => value.endsWith(wanted);

/** Comparisons of the positive operators. Both texts are in lower case, as all ignore case. */
const stringComparisons: Readonly<Record<StringOperator, typeof equals>> = {
  StringIn: equals,
  StringNotIn: equals,
  StringContains: contains,
  StringNotContains: contains,
  StringBeginsWith: begins,
  StringNotBeginsWith: begins,
  StringEndsWith: ends,
  StringNotEndsWith: ends,
};

type Test = (value: unknown) => boolean;

/**
 * Compiles a filter to a predicate.
 *
 * In an array one element must match, or none for a negative operator. docs/contributing/parity.md shows where the
 * documentation leaves a result open.
 *
 * @param onArrays whether elements of arrays are compared; otherwise an event with an array does not
 * match, not even a negative operator
 * @see https://learn.microsoft.com/azure/event-grid/event-filtering#operators
 */
export function compileAdvancedFilter(
  filter: FilterCondition,
  onArrays: boolean,
): (event: EventContent) => boolean {
  const { operatorType } = filter;
  const read = operatorType.startsWith("String") ? textReader(filter.key) : keyReader(filter.key);
  if (operatorType === "IsNullOrUndefined") return (event) => read(event) == null;
  if (operatorType === "IsNotNull") return (event) => read(event) != null;

  const matches = testOf(filter);
  const isNegative = /^(String|Number)Not/.test(operatorType);
  const missingMatches = isNegative && !NEED_THE_KEY.has(operatorType);
  return (event) => {
    const value = read(event);
    if (value === undefined) return missingMatches;
    if (Array.isArray(value)) return onArrays && value.some(matches) !== isNegative;
    return matches(value) !== isNegative;
  };
}

/** The negative operators that an event without the key fails. */
const NEED_THE_KEY: ReadonlySet<FilterCondition["operatorType"]> = new Set([
  "StringNotContains",
  "StringNotBeginsWith",
  "StringNotEndsWith",
]);

/** The test of the positive operator. */
function testOf(filter: FilterCondition): Test {
  switch (filter.operatorType) {
    case "BoolEquals":
      return (value) => value === filter.value;
    case "NumberIn":
    case "NumberNotIn":
      return (value) => typeof value === "number" && filter.values.includes(value);
    case "NumberInRange":
    case "NumberNotInRange":
      return (value) =>
        typeof value === "number" &&
        filter.values.some(([from, to]) => from <= value && value <= to);
    case "NumberGreaterThan":
    case "NumberGreaterThanOrEquals":
    case "NumberLessThan":
    case "NumberLessThanOrEquals": {
      const compare = numberComparisons[filter.operatorType];
      return (value) => typeof value === "number" && compare(value, filter.value);
    }
    case "IsNullOrUndefined":
    case "IsNotNull":
      return (value) => value == null;
    default: {
      const compare = stringComparisons[filter.operatorType];
      const wanted = filter.values.map((value) => value.toLowerCase());
      return (value) => {
        if (typeof value !== "string") return false;
        const text = value.toLowerCase();
        return wanted.some((each) => compare(text, each));
      };
    }
  }
}
