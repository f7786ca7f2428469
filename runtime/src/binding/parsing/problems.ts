import {
  type Problem,
  problem,
  problemsOf,
  showValue,
  unknownTooLate,
} from "../../validation/index.js";
import {
  bindingFields,
  definitionFields,
  directionOfFields,
  type FieldTable,
  hasInput,
  hasOutput,
  isRequired,
  type NamedField,
  oneDirectionOf,
} from "../fields/index.js";
import type { Direction } from "../props.js";
import { parseScope, scopeRule, uuidRule } from "../rules/index.js";

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
  const { direction } = values;
  const only = oneDirectionOf(fields);
  if (only !== undefined) return only;
  if (namesDirection(values)) return direction as Direction;
  return directionOfFields(fields, (field) => values[field] !== undefined);
}

function namesDirection({ direction }: Values): boolean {
  return bindingFields.direction.rule.test(direction);
}

/** Everything that is wrong with the fields of a definition: of props, or of a document. */
export function fieldProblems(
  values: Values,
  options: ValidationOptions,
  fields: FieldTable,
  wording = propsWording,
): Problem[] {
  const { input, output, both } = definitionFields(fields);
  const direction = directionOf(values, fields);
  const definition = { values, options, wording, fields };
  const isSwitch = ({ name }: NamedField) => name === "direction";
  const problems = invalidValues(both.filter(isSwitch), definition);
  if (direction === undefined) {
    if (problems.length === 0) problems.push(nothingSet(definition));
  } else {
    problems.push(
      ...(hasInput(direction)
        ? [...directionProblems(input, "receive", definition), ...otherSubscription(definition)]
        : misplaced(input, direction, values)),
      ...(hasOutput(direction)
        ? directionProblems(output, "publish", definition)
        : misplaced(output, direction, values)),
    );
  }
  return [
    ...problems,
    ...invalidValues(
      both.filter((field) => !isSwitch(field)),
      definition,
    ),
  ];
}

interface Definition {
  readonly values: Values;
  readonly options: ValidationOptions;
  readonly wording: FieldWording;
  readonly fields: FieldTable;
}

function directionProblems(
  ofDirection: readonly NamedField[],
  verb: "receive" | "publish",
  definition: Definition,
): Problem[] {
  const why = `to ${verb} events${impliedBy(ofDirection, definition)}`;
  return [
    ...ofDirection.flatMap((field) => missing(field, why, definition)),
    ...ofDirection.flatMap((field) => unused(field, definition)),
    ...invalidValues(ofDirection, definition),
  ];
}

/** Explains why fields are expected for a direction that the definition does not name. */
function impliedBy(
  ofDirection: readonly NamedField[],
  { values, wording, fields }: Definition,
): string {
  if (namesDirection(values) || oneDirectionOf(fields) !== undefined) return "";
  const set = ofDirection
    .filter(({ name }) => values[name] !== undefined && (wording.hasSwitches || name !== "writer"))
    .map(({ name }) => wording.nameOf(name));
  return ` (${set.join(", ")} ${set.length > 1 ? "are" : "is"} set)`;
}

function missing(field: NamedField, why: string, definition: Definition): Problem[] {
  const { values, wording, fields } = definition;
  const { name } = field;
  if (values[name] !== undefined || !isRequired(field, values, fields)) return [];
  const state = name in values ? "is undefined, but required" : "is required";
  const message = `${state} ${reasonOf(field, why, definition)}`;
  return [{ ...problem(wording.nameOf(name), "required", message), field: name }];
}

function reasonOf({ required }: NamedField, why: string, { wording, fields }: Definition): string {
  if (typeof required !== "object" || !wording.hasSwitches) return why;
  const { defaultValue, rule } = fields[required.field] ?? {};
  if (required.value !== defaultValue) return `because ${required.field} is "${required.value}"`;
  const other = rule?.choices?.find((choice) => choice !== required.value);
  return `${why}, unless ${required.field} is "${other}"`;
}

function unused(field: NamedField, { values, fields }: Definition): Problem[] {
  const { name, required } = field;
  if (typeof required !== "object" || required.otherwise !== "unused") return [];
  if (values[name] === undefined || isRequired(field, values, fields)) return [];
  const { field: other, value: needed } = required;
  // An invalid value of the other field is a problem of its own.
  if (values[other] !== undefined && !fields[other]?.rule.test(values[other])) return [];
  const message = `is not used unless ${other} is "${needed}": remove it, or set that`;
  return [problem(name, "unused", message)];
}

function misplaced(fields: readonly NamedField[], direction: Direction, values: Values): Problem[] {
  const other = direction === "input" ? "output" : "input";
  const message =
    `belongs to the ${other} direction, but direction is "${direction}": ` +
    'remove it, or set direction to "input, output"';
  return fields
    .filter(({ name }) => values[name] !== undefined)
    .map(({ name }) => problem(name, "direction", message));
}

function nothingSet({ values, wording, fields }: Definition): Problem {
  const { input, output } = definitionFields(fields);
  const needed = (ofDirection: readonly NamedField[], separator: string) =>
    ofDirection
      .filter((field) => isRequired(field, values, fields))
      .map(({ name }) => wording.nameOf(name))
      .join(separator);
  const message =
    `is not set, and neither is a field of one: set ${needed(input, ", ")} to receive events, ` +
    `${needed(output, " and ")} to publish events`;
  return problem("direction", "required", message);
}

function invalidValues(
  fields: readonly NamedField[],
  { values, options, wording }: Definition,
): Problem[] {
  const { isUnresolved = () => false, existingSubscription = false } = options;
  return fields.flatMap(({ name, rule, ruleIfExisting = rule, isSwitch }): readonly Problem[] => {
    const value = values[name];
    if (value === undefined) return [];
    if (isUnresolved(value)) return isSwitch ? [unknownTooLate(name)] : [];
    const problems = problemsOf(
      existingSubscription ? ruleIfExisting : rule,
      wording.nameOf(name),
      value,
    );
    return problems.map((invalid) => ({ ...invalid, field: name }));
  });
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
