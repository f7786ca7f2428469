import type { CloudEvent } from "../event.js";
import { valueAt } from "./event-value.js";

/** A number and the one up to which it counts, both included. */
export type NumberRange = readonly [from: number, to: number];

/** One condition on one key, in Resource Manager's terms. */
export type AdvancedFilter = { readonly key: string } & (
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

/** The positive side of each; what they compare comes in lower case, since none of them minds it. */
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
 * Prepares a filter for many events.
 *
 * A key that an event does not have fails every operator but the negative ones and
 * `IsNullOrUndefined`. Of an array one element has to fit, or none for a negative operator.
 *
 * @param onArrays whether arrays are looked into; otherwise they fit nothing
 */
export function compileAdvancedFilter(
  filter: AdvancedFilter,
  onArrays: boolean,
): (event: CloudEvent) => boolean {
  const { key, operatorType } = filter;
  if (operatorType === "IsNullOrUndefined") return (event) => valueAt(event, key) == null;
  if (operatorType === "IsNotNull") return (event) => valueAt(event, key) != null;

  const fits = testOf(filter);
  const isNegative = /^(String|Number)Not/.test(operatorType);
  return (event) => {
    const value = valueAt(event, key);
    const one = Array.isArray(value) ? onArrays && value.some(fits) : fits(value);
    return one !== isNegative;
  };
}

/** The positive side of the operator. */
function testOf(filter: AdvancedFilter): Test {
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
