import type { FilterCondition } from "cloud-eventgrid-local";
import { applyFilter } from "../../../../cli/src/rules/filters/index.js";
import { type Area, eventGrid, linkTo, type Row } from "../row.js";
import { cloudEvent, type Stage } from "../stage.js";

/*
 * Every operator with every kind of value. The local Azure and the filters of `cloud-eventgrid doctor`
 * must agree.
 */

type Operator = FilterCondition["operatorType"];

/** Values for an operator. Those that match make a negative operator fail. */
interface Values {
  /** The part of the filter besides key and operator. */
  readonly operand: object;
  readonly matching?: unknown;
  readonly other?: unknown;
  readonly otherType?: unknown;
}

const texts = { matching: "blue", other: "red", otherType: 17 };
const numbers = { matching: 5, other: 50, otherType: "5" };

const operators: Readonly<Record<Operator, Values>> = {
  NumberIn: { ...numbers, operand: { values: [5, 1] } },
  NumberNotIn: { ...numbers, operand: { values: [5, 1] } },
  NumberLessThan: { ...numbers, operand: { value: 6 } },
  NumberGreaterThan: { ...numbers, matching: 51, operand: { value: 50 } },
  NumberLessThanOrEquals: { ...numbers, operand: { value: 5 } },
  NumberGreaterThanOrEquals: { ...numbers, matching: 51, operand: { value: 51 } },
  NumberInRange: {
    ...numbers,
    operand: {
      values: [
        [1, 5],
        [7, 8],
      ],
    },
  },
  NumberNotInRange: {
    ...numbers,
    operand: {
      values: [
        [1, 5],
        [7, 8],
      ],
    },
  },
  BoolEquals: { matching: true, other: false, otherType: "true", operand: { value: true } },
  StringContains: { ...texts, operand: { values: ["LU", "x"] } },
  StringNotContains: { ...texts, operand: { values: ["LU", "x"] } },
  StringBeginsWith: { ...texts, operand: { values: ["BL", "x"] } },
  StringNotBeginsWith: { ...texts, operand: { values: ["BL", "x"] } },
  StringEndsWith: { ...texts, operand: { values: ["UE", "x"] } },
  StringNotEndsWith: { ...texts, operand: { values: ["UE", "x"] } },
  StringIn: { ...texts, operand: { values: ["BLUE", "x"] } },
  StringNotIn: { ...texts, operand: { values: ["BLUE", "x"] } },
  IsNullOrUndefined: { operand: {}, matching: null, other: "blue" },
  IsNotNull: { operand: {}, matching: "blue", other: null },
};

const isNull = (operator: Operator) => /^Is/.test(operator);
const isNegative = (operator: Operator) => /^(String|Number)Not/.test(operator);

interface Case {
  readonly name: string;
  readonly onArrays?: boolean;
  readonly data: (values: Values) => object;
  /** The documented result; `unknown` with the local one where the documentation leaves it open. */
  readonly passes: (operator: Operator) => boolean | { readonly unknown: boolean };
}

/** Listed in the note below the operators. */
const MISSING_MATCHES: readonly Operator[] = ["NumberNotIn", "StringNotIn", "IsNullOrUndefined"];
const MISSING_IS_OPEN: readonly Operator[] = ["NumberInRange", "NumberNotInRange"];

/** An array is no value of a positive operator then. The page is silent about the others. */
function withoutSetting(operator: Operator): ReturnType<Case["passes"]> {
  if (isNull(operator)) return { unknown: operator === "IsNotNull" };
  return isNegative(operator) ? { unknown: false } : false;
}

const cases: readonly Case[] = [
  {
    name: "matching value",
    data: ({ matching }) => ({ key: matching }),
    passes: (operator) => !isNegative(operator),
  },
  {
    name: "other value",
    data: ({ other }) => ({ key: other }),
    passes: isNegative,
  },
  {
    name: "missing key",
    data: () => ({}),
    passes: (operator) =>
      MISSING_IS_OPEN.includes(operator)
        ? { unknown: isNegative(operator) }
        : MISSING_MATCHES.includes(operator),
  },
  {
    name: "null",
    data: () => ({ key: null }),
    passes: (operator) =>
      isNull(operator) ? operator === "IsNullOrUndefined" : { unknown: isNegative(operator) },
  },
  {
    name: "other type",
    data: ({ otherType = 17 }) => ({ key: otherType }),
    passes: (operator) =>
      isNull(operator) ? operator === "IsNotNull" : { unknown: isNegative(operator) },
  },
  {
    name: "array, off",
    data: ({ matching }) => ({ key: [matching] }),
    passes: withoutSetting,
  },
  {
    name: "array, off, without a match",
    data: ({ other }) => ({ key: [other] }),
    passes: withoutSetting,
  },
  {
    name: "array with a match",
    onArrays: true,
    data: ({ matching, other }) => ({ key: [other, matching] }),
    passes: (operator) => (isNull(operator) ? operator === "IsNotNull" : !isNegative(operator)),
  },
  {
    name: "array without a match",
    onArrays: true,
    data: ({ other }) => ({ key: [other] }),
    passes: (operator) => (isNull(operator) ? operator === "IsNotNull" : isNegative(operator)),
  },
  {
    name: "array of another type",
    onArrays: true,
    data: ({ otherType = 17 }) => ({ key: [otherType] }),
    passes: (operator) => (isNull(operator) ? operator === "IsNotNull" : isNegative(operator)),
  },
];

const names = Object.keys(operators) as Operator[];

/** Whether the local Azure delivers the event; an error if the doctor disagrees. */
export async function decided(
  stage: Stage,
  filter: object,
  event: object,
): Promise<boolean | string> {
  const passes = await stage.passes("CloudEventSchemaV1_0", filter, event);
  const doctor = applyFilter(filter, { attributes: { ...event }, isPartial: false });
  const agrees = (doctor.excluding.length === 0) === passes;
  return agrees ? passes : `delivered: ${passes}, but the doctor says the opposite`;
}

function rowOf(operator: Operator, { name, onArrays = false, data, passes }: Case): Row {
  const { operand } = operators[operator];
  const filter = {
    advancedFilters: [{ key: "data.key", operatorType: operator, ...operand }],
    enableAdvancedFilteringOnArrays: onArrays,
  };
  const event = cloudEvent({ data: data(operators[operator]) });
  const expected = passes(operator);
  const isOpen = typeof expected === "object";
  const result = isOpen ? expected.unknown : expected;
  return {
    source: eventGrid("event-filtering", operator),
    input: `${operator}, ${name}`,
    documented: isOpen ? "open" : result ? "passes" : "does not pass",
    ...(isOpen ? { unknown: result ? "passes" : "does not pass" } : {}),
    run: (stage) => decided(stage, filter, event),
    result,
  };
}

const rows = names.map((operator) => ({
  operator,
  rows: cases.map((each) => rowOf(operator, each)),
}));

/** One line for each operator, one column for each case. */
function table(): string {
  const cell = ({ result, unknown }: Row) =>
    `${result ? "yes" : "no"}${unknown === undefined ? "" : " ?"}`;
  const lines = rows.map(
    ({ operator, rows: cells }) =>
      `| ${linkTo(eventGrid("event-filtering", operator))} | ${cells.map(cell).join(" | ")} |`,
  );
  return [
    "Whether an event passes. `?` marks what the documentation leaves open. “Matching” and “other” refer to the positive operator, so that a matching value fails `NumberNotIn`. “Off” means without `enableAdvancedFilteringOnArrays`.",
    "",
    `| Operator | ${cases.map(({ name }) => name).join(" | ")} |`,
    `|---|${cases.map(() => "---").join("|")}|`,
    ...lines,
    "",
    `Missing keys are in the note of ${linkTo(eventGrid("event-filtering", "StringNotIn"))}. Arrays need the setting: ${linkTo(eventGrid("event-filtering", "Key"))}. Without it they match no operator of the retired edition for IoT Edge: ${linkTo(eventGrid("edge/advanced-filtering", "Filtering on array values"))}.`,
  ].join("\n");
}

export const advancedFilters: Area = {
  title: "Operators of advanced filters",
  rows: rows.flatMap((each) => each.rows),
  table,
};
