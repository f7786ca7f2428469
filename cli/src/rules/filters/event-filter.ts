import { split } from "cloud-eventgrid-binding-runtime/internal";
import { itemsOf } from "../../collections.js";
import { UNKNOWN } from "../values.js";

/** An event, or the attributes of it that are known. */
export interface EventToFilter {
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Whether other attributes may exist, so that filters on them cannot be judged. */
  readonly isPartial: boolean;
}

/** What a filter does with an event. */
interface FilterResult {
  /** The conditions that exclude it. */
  readonly excluding: readonly string[];
  /** The conditions that need attributes or values which are not known. */
  readonly undecided: readonly string[];
}

/** A condition that an event must match; its own fields do not depend on where it was written. */
export interface FilterCondition {
  /** Its place in the subscription: the list of types, one of the two subject filters, an advanced filter. */
  readonly from: "types" | "subject" | "advanced";
  /** As it is written; `type` and `subject` for the first two. */
  readonly key: string;
  readonly operator: string;
  readonly values: readonly unknown[];
  /** Whether the case of texts does not matter. */
  readonly ignoresCase: boolean;
  readonly onArrays: boolean;
  /** Whether a part of it is known only after the apply, or its operator is not known here. */
  readonly isUnknown: boolean;
  /** For people. */
  readonly text: string;
}

/**
 * The conditions of an event subscription's filter; an event must match all of them.
 *
 * @see https://learn.microsoft.com/azure/event-grid/event-filtering
 */
export function filterConditions(filter: unknown): FilterCondition[] {
  const { isSubjectCaseSensitive, enableAdvancedFilteringOnArrays, advancedFilters, ...rest } =
    fields(filter);
  const conditions: FilterCondition[] = [];
  const isLater = [rest.includedEventTypes].flat().includes(UNKNOWN);
  const types = isLater ? [UNKNOWN] : includedTypes(filter);
  if (types.length > 0) {
    const text = isLater
      ? "the types are known after the apply"
      : `the type is ${types.join(" or ")}`;
    conditions.push(
      condition({ from: "types", key: "type", operator: "StringIn", values: types, text }),
    );
  }
  for (const edge of ["Begins", "Ends"]) {
    const part = rest[`subject${edge}With`];
    if (part !== UNKNOWN && (typeof part !== "string" || part === "")) continue;
    conditions.push(
      condition({
        from: "subject",
        key: "subject",
        operator: `String${edge}With`,
        values: [part],
        ignoresCase: isSubjectCaseSensitive !== true,
        isUnknown: isSubjectCaseSensitive === UNKNOWN,
        text: `the subject ${edge.toLowerCase()} with ${shown(part)}`,
      }),
    );
  }
  for (const each of itemsOf(advancedFilters)) {
    conditions.push(advanced(each, enableAdvancedFilteringOnArrays));
  }
  return conditions;
}

/** The types that a filter includes; empty when every type passes, or the types are unknown. */
export function includedTypes(filter: unknown): readonly string[] {
  const { includedEventTypes: list } = fields(filter);
  const types = Array.isArray(list) ? list.filter((type) => typeof type === "string") : [];
  return types.some((type) => type.toLowerCase() === "all") ? [] : types;
}

/** Evaluates a filter as Event Grid does. */
export function applyFilter(filter: unknown, event: EventToFilter): FilterResult {
  const excluding: string[] = [];
  const undecided: string[] = [];
  for (const each of filterConditions(filter)) {
    const value = valueFor(each, event.attributes);
    if (each.isUnknown || (value === undefined && event.isPartial)) undecided.push(each.text);
    else if (!passesCondition(each, value)) excluding.push(each.text);
  }
  return { excluding, undecided };
}

/** Without their key, events fail every other operator that compares. */
const PASSES_WITHOUT_KEY = new Set(["NumberNotIn", "NumberNotInRange", "StringNotIn"]);

/** Whether a value at the condition's key passes; undefined if the event has none. */
export function passesCondition(one: FilterCondition, value: unknown): boolean {
  const { operator } = one;
  if (operator === "IsNullOrUndefined") return value === undefined || value === null;
  if (operator === "IsNotNull") return value !== undefined && value !== null;
  if (one.from === "subject") return matchesOperand(one, value ?? "");
  if (value === undefined) return PASSES_WITHOUT_KEY.has(operator);
  const isNegated = isNegative(operator);
  if (Array.isArray(value)) {
    return one.onArrays && value.some((element) => matchesOperand(one, element)) !== isNegated;
  }
  return matchesOperand(one, value) !== isNegated;
}

/** Whether an operator excludes what its values match. */
export function isNegative(operator: string): boolean {
  return positiveOf(operator) !== operator;
}

/** `StringIn` of `StringNotIn`. */
function positiveOf(operator: string): string {
  return operator.replace(/(String|Number)Not/, "$1");
}

/** Whether one of the values matches, by the positive form of the operator. */
export function matchesOperand(one: FilterCondition, value: unknown): boolean {
  const matches = comparisons.get(positiveOf(one.operator));
  if (matches === undefined) return false;
  const fold = (each: unknown) =>
    one.ignoresCase && typeof each === "string" ? each.toLowerCase() : each;
  const text = isAttribute(one.key) && one.operator.startsWith("String") ? textOf(value) : value;
  return one.values.some((expected) => matches(fold(text), fold(expected)));
}

/** The value that a condition is about. */
function valueFor(
  { from, key }: Pick<FilterCondition, "from" | "key">,
  attributes: Readonly<Record<string, unknown>>,
): unknown {
  if (from === "types") return attributes.type ?? attributes.eventType;
  if (from === "subject") return attributes.subject;
  const [first, ...path] = split(key, ".");
  const name = attributeName(first, "specversion" in attributes, attributes);
  return [name, ...path].reduce<unknown>(ownField, attributes);
}

/** Names of the Event Grid schema. One report, of 2022, says that they match no CloudEvent. */
const EVENT_GRID_NAMES = ["eventid", "eventtype", "topic"];

/** Whether a key of a filter for CloudEvents is a name that only the Event Grid schema has. */
export function isOldName({ from, key }: FilterCondition): boolean {
  return from === "advanced" && EVENT_GRID_NAMES.includes(key.toLowerCase());
}

/**
 * The attribute that a key begins with. The case of attributes does not matter, that of data does.
 *
 * @see https://learn.microsoft.com/azure/event-grid/event-filtering#key
 */
export function attributeName(
  first: string,
  isCloudEvent: boolean,
  attributes: Readonly<Record<string, unknown>>,
): string {
  const lower = first.toLowerCase();
  const names = Object.keys(attributes);
  const own = Object.hasOwn(attributes, first)
    ? first
    : names.find((name) => name.toLowerCase() === lower);
  return own ?? (isCloudEvent ? lower : first);
}

/** Whether a key names an attribute of the event, and not its data. */
function isAttribute(key: string): boolean {
  return !key.includes(".") && key.toLowerCase() !== "data";
}

function ownField(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function advanced(filter: unknown, onArrays: unknown): FilterCondition {
  const { key = "", operatorType = "", value, values } = fields(filter);
  const operands = value !== undefined ? [value] : Array.isArray(values) ? values : [values];
  const known = operands.filter((each) => each !== undefined);
  const text = [shownName(key), shownName(operatorType), known.map(shown).join(", ")];
  return condition({
    from: "advanced",
    key: String(key),
    operator: String(operatorType),
    values: known,
    onArrays: onArrays === true,
    isUnknown: [filter, key, operatorType, onArrays].includes(UNKNOWN),
    text: filter === UNKNOWN ? "filters known after the apply" : text.join(" ").trim(),
  });
}

type Given = Pick<FilterCondition, "from" | "key" | "operator" | "values" | "text">;

function condition(given: Given & Partial<FilterCondition>): FilterCondition {
  // An object stands for a number that JavaScript rounds.
  const isLater = (value: unknown) =>
    value === UNKNOWN || (typeof value === "object" && value !== null);
  const isUnknown =
    (given.isUnknown ?? false) || !isOperator(given.operator) || given.values.flat().some(isLater);
  return { ignoresCase: true, onArrays: false, ...given, isUnknown };
}

function isOperator(name: string): boolean {
  return name === "IsNullOrUndefined" || name === "IsNotNull" || comparisons.has(positiveOf(name));
}

function shown(value: unknown): string {
  return value === UNKNOWN ? "(known after the apply)" : JSON.stringify(value);
}

const shownName = (name: unknown) => (typeof name === "string" ? name : shown(name));

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** String operators compare numbers and booleans in attributes as texts. */
function textOf(value: unknown): unknown {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}

type Comparison = (value: unknown, expected: unknown) => boolean;

const numbers =
  (compare: (value: number, expected: number) => boolean): Comparison =>
  (value, expected) =>
    typeof value === "number" && typeof expected === "number" && compare(value, expected);

const strings =
  (compare: (value: string, expected: string) => boolean): Comparison =>
  (value, expected) =>
    typeof value === "string" && compare(value, String(expected));

/** The positive operators. */
const comparisons: ReadonlyMap<string, Comparison> = new Map(
  Object.entries({
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
  }),
);
