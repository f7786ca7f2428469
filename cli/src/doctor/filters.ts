import { at, listAt, textAt } from "../azure/index.js";

/** An event, or the attributes of it that are known. */
export interface EventToFilter {
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Whether other attributes may exist, so that filters on them cannot be judged. */
  readonly isPartial: boolean;
}

/** What a filter does with an event. */
export interface FilterResult {
  /** The conditions that exclude it. */
  readonly excluding: readonly string[];
  /** The conditions that need attributes which are not known. */
  readonly undecided: readonly string[];
}

type FilterVerdict = "matches" | "fails" | "undecided";

interface Condition {
  readonly text: string;
  readonly judge: (event: EventToFilter) => FilterVerdict;
}

/**
 * The conditions of an event subscription's filter; an event must match all of them.
 *
 * @see https://learn.microsoft.com/azure/event-grid/event-filtering
 */
function conditionsOf(filter: unknown): Condition[] {
  const ignoresCase = at(filter, "isSubjectCaseSensitive") !== true;
  const subject = (edge: "begins" | "ends", text: string | undefined): Condition[] =>
    text === undefined ? [] : [subjectCondition(edge, text, ignoresCase)];
  const onArrays = at(filter, "enableAdvancedFilteringOnArrays") === true;
  return [
    ...typeCondition(includedTypes(filter)),
    ...subject("begins", textAt(filter, "subjectBeginsWith")),
    ...subject("ends", textAt(filter, "subjectEndsWith")),
    ...listAt(filter, "advancedFilters").map((advanced) => advancedCondition(advanced, onArrays)),
  ];
}

/** The types that a filter includes; empty when every type passes. */
export function includedTypes(filter: unknown): readonly string[] {
  const types = listAt(filter, "includedEventTypes").map(String);
  return types.includes("All") ? [] : types;
}

/** The conditions of a filter besides the types, with their values. */
export function furtherConditions(filter: unknown): string[] {
  return conditionsOf({ ...Object(filter), includedEventTypes: [] }).map(({ text }) => text);
}

/**
 * The types that pass every condition on the type; undefined when no condition lists types, so that
 * others may pass, too.
 */
export function passingTypes(filter: unknown): readonly string[] | undefined {
  const included = includedTypes(filter);
  const list = filtersOnType(filter).find(
    (advanced) => textAt(advanced, "operatorType") === "StringIn",
  );
  if (included.length === 0 && list === undefined) return undefined;
  const types = included.length > 0 ? included : listAt(list, "values").map(String);
  return types.filter((type) => excludingType(filter, type).length === 0);
}

/** The conditions of a filter on the type. */
export function conditionsOnType(filter: unknown): string[] {
  const includedEventTypes = includedTypes(filter);
  const onType = { includedEventTypes, advancedFilters: filtersOnType(filter) };
  return conditionsOf(onType).map(({ text }) => text);
}

function filtersOnType(filter: unknown): readonly unknown[] {
  return listAt(filter, "advancedFilters").filter(
    (advanced) => textAt(advanced, "key")?.toLowerCase() === "type",
  );
}

/** The conditions that exclude every event of a type. */
export function excludingType(filter: unknown, type: string): readonly string[] {
  return applyFilter(filter, { attributes: { type }, isPartial: true }).excluding;
}

/** Whether it is certain that no event matches both filters. */
export function areDisjoint(a: unknown, b: unknown): boolean {
  return excludesAllOf(a, b) || excludesAllOf(b, a) || haveDisjointSubjects(a, b);
}

function excludesAllOf(filter: unknown, other: unknown): boolean {
  return passingTypes(other)?.every((type) => excludingType(filter, type).length > 0) ?? false;
}

function haveDisjointSubjects(a: unknown, b: unknown): boolean {
  const edges = (name: string) => [a, b].map((filter) => textAt(filter, name)?.toLowerCase() ?? "");
  const [begin = "", otherBegin = ""] = edges("subjectBeginsWith");
  const [end = "", otherEnd = ""] = edges("subjectEndsWith");
  return (
    !(begin.startsWith(otherBegin) || otherBegin.startsWith(begin)) ||
    !(end.endsWith(otherEnd) || otherEnd.endsWith(end))
  );
}

/** Evaluates a filter as Event Grid does. */
export function applyFilter(filter: unknown, event: EventToFilter): FilterResult {
  const judged = conditionsOf(filter).map(({ text, judge }) => ({ text, verdict: judge(event) }));
  const texts = (verdict: FilterVerdict) =>
    judged.filter((condition) => condition.verdict === verdict).map(({ text }) => text);
  return { excluding: texts("fails"), undecided: texts("undecided") };
}

function typeCondition(types: readonly string[]): Condition[] {
  if (types.length === 0) return [];
  const lowerCase = new Set(types.map((type) => type.toLowerCase()));
  return [
    {
      text: `the type is ${types.join(" or ")}`,
      judge: (event) => {
        const type = read(event, "type") ?? read(event, "eventType");
        if (type === undefined && event.isPartial) return "undecided";
        return lowerCase.has(String(type).toLowerCase()) ? "matches" : "fails";
      },
    },
  ];
}

function subjectCondition(edge: "begins" | "ends", text: string, ignoresCase: boolean): Condition {
  const folded = (value: string) => (ignoresCase ? value.toLowerCase() : value);
  return {
    text: `the subject ${edge} with ${JSON.stringify(text)}`,
    judge: (event) => {
      const subject = read(event, "subject");
      if (subject === undefined && event.isPartial) return "undecided";
      const value = folded(String(subject ?? ""));
      const matches =
        edge === "begins" ? value.startsWith(folded(text)) : value.endsWith(folded(text));
      return matches ? "matches" : "fails";
    },
  };
}

function advancedCondition(filter: unknown, onArrays: boolean): Condition {
  const key = textAt(filter, "key") ?? "";
  const operator = textAt(filter, "operatorType") ?? "";
  const single = at(filter, "value");
  const values = single === undefined ? listAt(filter, "values") : [single];
  const text = [key, operator, values.map((value) => JSON.stringify(value)).join(", ")];
  return {
    text: text.join(" ").trim(),
    judge: (event) => {
      const found = read(event, key);
      if (found === undefined && event.isPartial) return "undecided";
      const isAttribute = !key.includes(".") && key.toLowerCase() !== "data";
      const value = isAttribute && operator.startsWith("String") ? textOf(found) : found;
      return passes(operator, values, value, onArrays) ? "matches" : "fails";
    },
  };
}

/** String operators compare numbers and booleans in attributes as texts. */
function textOf(value: unknown): unknown {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}

/** Without their key, events fail every operator but these. */
const PASSES_WITHOUT_KEY = new Set([
  "NumberNotIn",
  "NumberNotInRange",
  "StringNotIn",
  "IsNullOrUndefined",
]);

function passes(
  operator: string,
  values: readonly unknown[],
  value: unknown,
  onArrays: boolean,
): boolean {
  if (operator === "IsNullOrUndefined") return value === undefined || value === null;
  if (operator === "IsNotNull") return value !== undefined && value !== null;
  if (value === undefined) return PASSES_WITHOUT_KEY.has(operator);
  const isNegative = /^(String|Number)Not/.test(operator);
  const matches = comparisons[operator.replace("Not", "")] ?? (() => false);
  const anyMatches = (element: unknown) => values.some((expected) => matches(element, expected));
  if (Array.isArray(value)) return onArrays && value.some(anyMatches) !== isNegative;
  return anyMatches(value) !== isNegative;
}

type Comparison = (value: unknown, expected: unknown) => boolean;

const numbers =
  (compare: (value: number, expected: number) => boolean): Comparison =>
  (value, expected) =>
    typeof value === "number" && typeof expected === "number" && compare(value, expected);

/** Strings are compared without regard to case. */
const strings =
  (compare: (value: string, expected: string) => boolean): Comparison =>
  (value, expected) =>
    typeof value === "string" && compare(value.toLowerCase(), String(expected).toLowerCase());

/** The positive operators. */
const comparisons: Readonly<Record<string, Comparison>> = {
  BoolEquals: (value, expected) => value === expected,
  NumberIn: numbers((value, expected) => value === expected),
  NumberLessThan: numbers((value, expected) => value < expected),
  NumberLessThanOrEquals: numbers((value, expected) => value <= expected),
  NumberGreaterThan: numbers((value, expected) => value > expected),
  NumberGreaterThanOrEquals: numbers((value, expected) => value >= expected),
  NumberInRange: (value, range) =>
    Array.isArray(range) && typeof value === "number" && range[0] <= value && value <= range[1],
  StringIn: strings((value, expected) => value === expected),
  StringContains: strings((value, expected) => value.includes(expected)),
  StringBeginsWith: strings((value, expected) => value.startsWith(expected)),
  StringEndsWith: strings((value, expected) => value.endsWith(expected)),
};

/** The value of a key such as `subject` or `data.order.total`. Attributes ignore case, data does not. */
function read({ attributes }: EventToFilter, key: string): unknown {
  const [first = "", ...inner] = key.split(".");
  const name = Object.keys(attributes).find(
    (attribute) => attribute.toLowerCase() === first.toLowerCase(),
  );
  return name === undefined ? undefined : at(attributes[name], ...inner);
}
