import { groupsOf } from "cloud-eventgrid-binding-runtime/internal";
import {
  type FilterCondition,
  isNegative,
  matchesOperand,
  passesCondition,
} from "./event-filter.js";
import { findText, type TextRequirement } from "./find-text.js";

/** What an event must do with a condition. */
export interface Requirement {
  readonly condition: FilterCondition;
  /** Whether it must match it, or fail it. */
  readonly holds: boolean;
}

/** What a field can be: of a CloudEvent's extension, of the data, or a text that every event has. */
export type Domain = "any" | "attribute" | "text" | "optional-text" | "missing";

export type Found = { readonly value: unknown } | "none" | "unknown";

const DOMAINS: Readonly<Record<Domain, (value: unknown) => boolean>> = {
  any: () => true,
  attribute: (value) => ["undefined", "string", "number", "boolean"].includes(typeof value),
  text: (value) => typeof value === "string" && value !== "",
  "optional-text": (value) => value === undefined || typeof value === "string",
  missing: (value) => value === undefined,
};

/**
 * Finds a value of one field that meets all requirements; undefined stands for an absent field.
 *
 * "none" is a proof: numbers matter only by their order, texts only by what occurs in them, arrays only by
 * the elements that match something, and everything else by its type.
 */
export function findValue(requirements: readonly Requirement[], domain: Domain): Found {
  const meets = (value: unknown) =>
    DOMAINS[domain](value) &&
    requirements.every(({ condition, holds }) => passesCondition(condition, value) === holds);
  const simple = [...scalars(requirements), undefined, null, {}, []].find((value) => meets(value));
  if (simple !== undefined || meets(undefined)) return { value: simple };
  if (domain === "missing") return "none";
  const notEmpty = domain === "text" ? [NOT_EMPTY] : [];
  const text = findText([...requirements.flatMap(textRequirement), ...notEmpty]);
  if (typeof text === "object") return meets(text.value) ? text : "unknown";
  const array = domain === "any" ? findArray(requirements, meets) : "none";
  if (typeof array === "object" || text === "none") return mixesKinds(requirements, domain, array);
  return "unknown";
}

/** String operators compare the numbers of attributes as texts, which the candidates do not cover. */
function mixesKinds(requirements: readonly Requirement[], domain: Domain, found: Found): Found {
  const kinds = new Set(requirements.map(({ condition }) => condition.operator.slice(0, 6)));
  const isMixed = kinds.has("String") && kinds.has("Number");
  return found === "none" && domain === "attribute" && isMixed ? "unknown" : found;
}

/** In an array, one element must match each of some conditions, and none may match the others. */
function findArray(
  requirements: readonly Requirement[],
  meets: (value: unknown) => boolean,
): Found {
  const compared = requirements.filter(
    ({ condition }) => condition.onArrays && !isNullTest(condition),
  );
  const wanted = compared.filter((one) => mustMatch(one));
  const elements: unknown[] = [];
  for (const one of wanted) {
    const unwanted = compared.filter((other) => !mustMatch(other));
    const found = findElement([one, ...unwanted]);
    if (typeof found === "string") return found;
    elements.push(found.value);
  }
  return meets(elements) ? { value: elements } : "none";
}

function findElement(requirements: readonly Requirement[]): Found {
  const meets = (value: unknown) =>
    requirements.every((one) => matchesOperand(one.condition, value) === mustMatch(one));
  const simple = scalars(requirements).find(meets);
  if (simple !== undefined) return { value: simple };
  return findText(requirements.flatMap(textRequirement));
}

const isNullTest = ({ operator }: FilterCondition) => operator.startsWith("Is");

/** Whether the operand must match, given that a negative operator passes what does not match. */
function mustMatch({ condition, holds }: Requirement): boolean {
  return condition.from === "subject" ? holds : holds !== isNegative(condition.operator);
}

/** Values worth trying: all operands, and a number in each interval between them. */
export function scalars(requirements: readonly Requirement[]): unknown[] {
  const operands = requirements.flatMap(({ condition }) => condition.values.flat());
  const texts = operands.filter((value) => typeof value === "string");
  const numbers = [...new Set(operands.filter((value) => typeof value === "number"))];
  numbers.sort((a, b) => a - b);
  const between = numbers.map((number, index) => {
    const next = numbers[index + 1] ?? number + 2 * Math.max(1, Math.abs(number));
    const whole = Math.floor((number + next) / 2);
    return whole > number && whole < next ? whole : (number + next) / 2;
  });
  const [least = 0] = numbers;
  return [...texts, ...numbers, ...between, least - Math.max(1, Math.abs(least)), true, false];
}

const NOT_EMPTY = { values: [""], edge: "In", isWanted: false, ignoresCase: true };

/** What a requirement means for a text: nothing, an impossibility, or an occurrence. */
function textRequirement(one: Requirement): TextRequirement[] {
  const { condition, holds } = one;
  const [edge] = groupsOf(/String(?:Not)?(.+)/, condition.operator);
  if (edge === "") {
    const isMet = passesCondition(condition, "text") === holds;
    return isMet ? [] : [{ ...NOT_EMPTY, edge: "Contains" }];
  }
  const { ignoresCase } = condition;
  return [{ values: condition.values.map(String), edge, isWanted: mustMatch(one), ignoresCase }];
}
