import { type Problem, problem } from "../errors.js";
import { problemsOf, showValue, unknownTooLate } from "../validation/index.js";
import { scopeRule, uuidRule } from "./field-rules.js";
import { bindingFields } from "./field-table.js";
import {
  definitionFields,
  directionOfFields,
  type FieldTable,
  isOfDirection,
  isRequired,
  isUsed,
  type NamedField,
  oneDirectionOf,
} from "./fields.js";
import type { Direction } from "./props.js";
import { parseScope } from "./scope.js";

/** How props are validated. */
export interface ValidationOptions {
  /**
   * Recognises values that are known only at deployment, such as the tokens of an infrastructure
   * tool. They count as set, and are not checked.
   *
   * @default no value is unresolved
   */
  readonly isUnresolved?: (value: unknown) => boolean;
  /**
   * Whether the event subscription already exists, created by other means. Its name may contain
   * hyphens, which Azure allows and the specification does not.
   *
   * @default false
   */
  readonly existingSubscription?: boolean;
}

/** How messages name the fields of a definition, for definitions that are not props. */
export interface FieldWording {
  nameOf(field: string): string;
  /** Whether the definition can set `writer` and `publishWith`, so that messages may mention them. */
  readonly hasSwitches: boolean;
}

const propsWording: FieldWording = { nameOf: (field) => field, hasSwitches: true };

type Values = Readonly<Record<string, unknown>>;

/** The direction that a definition has, names or implies; undefined if no field of either is set. */
export function directionOf(values: Values, fields: FieldTable): Direction | undefined {
  const named = namesDirection(values) ? (values.direction as Direction) : undefined;
  return (
    oneDirectionOf(fields) ??
    named ??
    directionOfFields(fields, (field) => values[field] !== undefined)
  );
}

function namesDirection({ direction }: Values): boolean {
  return bindingFields.direction.rule.test(direction);
}

interface Definition {
  readonly values: Values;
  readonly options: ValidationOptions;
  readonly wording: FieldWording;
  readonly fields: FieldTable;
}

/** Everything that is wrong with the fields of a definition: of props, or of a document. */
export function fieldProblems(
  values: Values,
  options: ValidationOptions,
  fields: FieldTable,
  wording = propsWording,
): Problem[] {
  const definition = { values, options, wording, fields };
  const direction = directionOf(values, fields);
  const problems = definitionFields(fields).flatMap((field) => {
    const { name } = field;
    const isMisplaced = direction !== undefined && !isOfDirection(field, direction);
    if (values[name] === undefined) {
      const isMissing =
        direction !== undefined && !isMisplaced && isRequired(field, values, fields);
      return isMissing ? missing(field, definition) : [];
    }
    if (isMisplaced) return misplaced(name, direction);
    const excess = isUsed(field, values, fields) ? [] : unused(field, definition);
    return [...excess, ...invalid(field, definition)];
  });
  if (direction === undefined && values.direction === undefined) {
    problems.push(nothingSet(definition));
  }
  return [...problems, ...otherSubscription(definition)];
}

function missing(field: NamedField, definition: Definition): Problem {
  const { values, wording } = definition;
  const { name } = field;
  const state = name in values ? "is undefined, but required" : "is required";
  const message = `${state} ${reasonFor(field, definition)}`;
  return { ...problem(wording.nameOf(name), "required", message), field: name };
}

/** Explains why a field is required. */
function reasonFor({ direction, required }: NamedField, definition: Definition): string {
  const { values, wording, fields } = definition;
  const purpose = `to ${direction === "input" ? "receive" : "publish"} events`;
  const isNamed = namesDirection(values) || oneDirectionOf(fields) !== undefined;
  const why = isNamed ? purpose : `${purpose} (${fieldsThatAreSet(direction, definition)})`;
  if (typeof required !== "object" || !wording.hasSwitches) return why;
  const { defaultValue, rule } = fields[required.field] ?? {};
  if (required.value !== defaultValue) return `because ${required.field} is "${required.value}"`;
  const other = rule?.choices?.find((choice) => choice !== required.value);
  return `${why}, unless ${required.field} is "${other}"`;
}

/** Names the fields that imply a direction which the definition does not name. */
function fieldsThatAreSet(
  direction: NamedField["direction"],
  { values, wording, fields }: Definition,
): string {
  const set = definitionFields(fields)
    .filter((field) => field.direction === direction && values[field.name] !== undefined)
    .filter(({ name }) => wording.hasSwitches || name !== "writer")
    .map(({ name }) => wording.nameOf(name));
  return `${set.join(", ")} ${set.length > 1 ? "are" : "is"} set`;
}

function unused({ name, required }: NamedField, { values, fields }: Definition): Problem[] {
  if (typeof required !== "object" || required.otherwise !== "unused") return [];
  const { field: other, value: needed } = required;
  // An invalid value of the other field is a problem of its own.
  if (values[other] !== undefined && !fields[other]?.rule.test(values[other])) return [];
  const message = `is not used unless ${other} is "${needed}": remove it, or set that`;
  return [problem(name, "unused", message)];
}

function misplaced(name: string, direction: Direction): Problem {
  const other = direction === "input" ? "output" : "input";
  const message =
    `belongs to the ${other} direction, but direction is "${direction}": ` +
    'remove it, or set direction to "input, output"';
  return problem(name, "direction", message);
}

function nothingSet({ values, wording, fields }: Definition): Problem {
  const needed = (direction: Direction, separator: string) =>
    definitionFields(fields)
      .filter((field) => field.direction === direction && isRequired(field, values, fields))
      .map(({ name }) => wording.nameOf(name))
      .join(separator);
  const message =
    `is not set, and neither is a field of one: set ${needed("input", ", ")} to receive events, ` +
    `${needed("output", " and ")} to publish events`;
  return problem("direction", "required", message);
}

function invalid(
  { name, rule, ruleIfExisting = rule, isSwitch }: NamedField,
  { values, options, wording }: Definition,
): Problem[] {
  const { isUnresolved = () => false, existingSubscription } = options;
  const value = values[name];
  if (isUnresolved(value)) return isSwitch ? [unknownTooLate(name)] : [];
  const tested = existingSubscription ? ruleIfExisting : rule;
  const problems = problemsOf(tested, wording.nameOf(name), value);
  return problems.map((broken) => ({ ...broken, field: name }));
}

function otherSubscription({ values, options, wording }: Definition): Problem[] {
  const { scope, cloudSubscriptionId: own } = values;
  if (typeof scope !== "string" || !scopeRule.test(scope)) return [];
  if (typeof own !== "string" || !uuidRule.test(own) || options.isUnresolved?.(scope)) return [];
  const { subscriptionId } = parseScope(scope);
  if (subscriptionId.toLowerCase() === own.toLowerCase()) return [];
  const message =
    `must lie in the subscription of ${wording.nameOf("cloudSubscriptionId")} (${own}), ` +
    `but names the subscription ${subscriptionId}`;
  return [{ ...problem("scope", "scope-subscription", message), received: showValue(scope) }];
}
