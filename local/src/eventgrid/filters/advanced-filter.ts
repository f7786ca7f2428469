import { textAt } from "../../base/index.js";
import type { EventContent } from "../events/index.js";
import { keyReader, textReader } from "./filter-key.js";

/** Bounds of a range, both included. */
export type NumberRange = readonly [from: number, to: number];

/** A condition on one key, as Resource Manager writes it. */
export type FilterCondition = { readonly key: string } & (
  | { readonly operatorType: "BoolEquals"; readonly value: boolean }
  | {
      readonly operatorType:
        | "NumberGreaterThan"
        | "NumberGreaterThanOrEquals"
        | "NumberLessThan"
        | "NumberLessThanOrEquals";
      readonly value: number;
    }
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

const MAX_VALUE_LENGTH = 512;

/**
 * How a condition compares; both texts are in lower case, as all operators ignore case. A negative
 * operator is the opposite of its positive one.
 */
type Operator = (value: unknown, operand: unknown) => boolean;

const equals: Operator = (value, operand) => value === operand;

const isNumber = (value: unknown): value is number => Number.isFinite(value);

const number =
  (compare: (value: number, operand: number) => boolean): Operator =>
  (value, operand) =>
    isNumber(value) && isNumber(operand) && compare(value, operand);

const isRange = (value: unknown): value is NumberRange =>
  Array.isArray(value) && value.length === 2 && Number(value[0]) <= Number(value[1]);

const range: Operator = (value, operand) =>
  isNumber(value) && isRange(operand) && operand[0] <= value && value <= operand[1];

const string =
  (compare: (value: string, operand: string) => boolean): Operator =>
  (value, operand) =>
    typeof value === "string" && typeof operand === "string" && compare(value, operand);

const anyNumber = number(equals);
const anyString = string(equals);
const contains = string((value, operand) => value.includes(operand));
const begins = string((value, operand) => value.startsWith(operand));
const ends = string((value, operand) => value.endsWith(operand));

/** All operators; `undefined` for those that compare with nothing. */
const OPERATORS: Readonly<Record<FilterCondition["operatorType"], Operator | undefined>> = {
  BoolEquals: equals,
  NumberGreaterThan: number((value, bound) => value > bound),
  NumberGreaterThanOrEquals: number((value, bound) => value >= bound),
  NumberLessThan: number((value, bound) => value < bound),
  NumberLessThanOrEquals: number((value, bound) => value <= bound),
  NumberIn: anyNumber,
  NumberNotIn: anyNumber,
  NumberInRange: range,
  NumberNotInRange: range,
  StringIn: anyString,
  StringNotIn: anyString,
  StringContains: contains,
  StringNotContains: contains,
  StringBeginsWith: begins,
  StringNotBeginsWith: begins,
  StringEndsWith: ends,
  StringNotEndsWith: ends,
  IsNullOrUndefined: undefined,
  IsNotNull: undefined,
};

/** The negative operators that an event without the key fails. */
const NEED_THE_KEY: ReadonlySet<FilterCondition["operatorType"]> = new Set([
  "StringNotContains",
  "StringNotBeginsWith",
  "StringNotEndsWith",
]);

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
  isEventGridSchema: boolean,
): (event: EventContent) => boolean {
  const { operatorType } = filter;
  const operator = OPERATORS[operatorType];
  const readerOf = operatorType.startsWith("String") ? textReader : keyReader;
  const read = readerOf(filter.key, isEventGridSchema);
  if (!operator) return (event) => (read(event) == null) === (operatorType !== "IsNotNull");

  const operands = valuesOf(filter).map(folded);
  const matches = (value: unknown) => {
    const text = folded(value);
    return operands.some((operand) => operator(text, operand));
  };
  const isNegative = /(String|Number)Not/.test(operatorType);
  const missingMatches = isNegative && !NEED_THE_KEY.has(operatorType);
  return (event) => {
    const value = read(event);
    if (value === undefined) return missingMatches;
    if (Array.isArray(value)) return onArrays && value.some(matches) !== isNegative;
    return matches(value) !== isNegative;
  };
}

function folded(value: unknown): unknown {
  return typeof value === "string" ? value.toLowerCase() : value;
}

/** Whether the schemas of bodies have checked a condition. */
export function isCondition(filter: unknown): filter is FilterCondition {
  return Object.hasOwn(OPERATORS, String(textAt(filter, "operatorType")));
}

/** The operators that compare with one value, which is in another field than several. */
const isSingle = ({ operatorType }: FilterCondition) =>
  operatorType === "BoolEquals" || operatorType.includes("Than");

/** Why the service would refuse a condition of the right types. */
export function problemOf(filter: FilterCondition): string | undefined {
  const { key, operatorType } = filter;
  if (key === "") return "it has no key";
  if (!OPERATORS[operatorType]) return undefined;
  const values = valuesOf(filter);
  if (values.length === 0) return `${operatorType} needs a value`;
  const name = isSingle(filter) ? "value" : "values";
  if (!(name in filter)) return `${operatorType} needs the field ${name}`;
  const range = values.find((each) => Array.isArray(each) && !isRange(each));
  if (range) {
    return `${operatorType} compares with pairs of numbers, the smaller one first, not ${JSON.stringify(range)}`;
  }
  const isLong = values.some((each) => typeof each === "string" && each.length > MAX_VALUE_LENGTH);
  return isLong ? `its values must have at most ${MAX_VALUE_LENGTH} characters` : undefined;
}

export function valuesOf(filter: FilterCondition): readonly unknown[] {
  if ("values" in filter) return Array.isArray(filter.values) ? filter.values : [filter.values];
  return "value" in filter && filter.value !== undefined ? [filter.value] : [];
}
