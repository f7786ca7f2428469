import {
  directionOfFields,
  halvesOf,
  INPUT_FIELDS,
  isDirection,
  OUTPUT_FIELDS,
  REQUIRED_INPUT_FIELDS,
} from "./direction.js";
import { fieldProblem } from "./field-rules.js";
import { EARLIER_NAMES, misplaced, missing, nothingGiven, type Values } from "./presence.js";
import type { BindingProblem } from "./problem.js";
import type { BindingProps, Direction } from "./props.js";
import { type BindingField, bindingRules, parseScope } from "./rules/index.js";
import { shownValue } from "./shown-value.js";
import { isUuid } from "./uuid.js";

/** How props are to be looked at. */
export interface ValidationOptions {
  /**
   * Tells values that are known only later, such as an infrastructure tool's tokens. They count
   * as given, and are not looked into.
   *
   * @default nothing is unresolved
   */
  readonly isUnresolved?: (value: unknown) => boolean;
  /**
   * The event subscription is there already, made by other means: its name may have hyphens,
   * which the service allows and this contract does not for a new one.
   *
   * @default false
   */
  readonly existingSubscription?: boolean;
}

/** Choices that decide which fields are needed; they have to be known when props are validated. */
const SWITCHES = ["direction", "writer", "publishWith", "cloudEnvironment"] as const;
const COMMON_FIELDS = ["cloudEnvironment", "cloudAuthorityHost"] as const;

/**
 * Finds everything that is wrong with a set of props, at once; an empty list means that they can
 * be used. Fields that the contract does not know are left to others.
 */
export function validateBinding(props: unknown, options: ValidationOptions = {}): BindingProblem[] {
  if (typeof props !== "object" || props === null) {
    const received = shownValue(props);
    const message = `A binding must be an object with the fields of its direction, but is ${received}`;
    return [{ field: "binding", rule: "type", message, received }];
  }
  const values = readValues(props);
  const { direction, told } = chosenDirection(values);
  const problems = [...valueProblems(["direction"], values, options)];
  if (direction === undefined) {
    if (problems.length === 0) problems.push(nothingGiven());
    return [...problems, ...valueProblems(COMMON_FIELDS, values, options)];
  }
  const halves = halvesOf(direction);
  if (halves.input) problems.push(...inputProblems(values, options, told));
  else problems.push(...misplaced(INPUT_FIELDS, values, direction));
  if (halves.output) problems.push(...outputProblems(values, options, told));
  else problems.push(...misplaced(OUTPUT_FIELDS, values, direction));
  return [...problems, ...valueProblems(COMMON_FIELDS, values, options)];
}

/** Reads field by field, so that getters of a class count as well. */
function readValues(props: object): Values {
  const names = [
    "direction",
    ...COMMON_FIELDS,
    ...INPUT_FIELDS,
    ...OUTPUT_FIELDS,
    ...Object.values(EARLIER_NAMES),
  ];
  const values = names.map((name) => [name, Reflect.get(props, name)] as const);
  return new Map(values.filter(([, value]) => value !== undefined));
}

/** @returns the direction, and how messages say where it comes from */
function chosenDirection(values: Values): { direction: Direction | undefined; told: Told } {
  const named = values.get("direction");
  if (isDirection(named)) {
    return { direction: named, told: () => `direction is "${named}"` };
  }
  const unnamed = named === undefined ? "no direction is named" : "direction is none of the three";
  const told: Told = (fields) => {
    const present = fields.filter((field) => values.has(field));
    return `${unnamed}, and ${present.join(", ")} ${present.length > 1 ? "are" : "is"} there`;
  };
  return { direction: directionOfFields(new Set(values.keys())), told };
}

type Told = (fieldsOfHalf: readonly string[]) => string;

function inputProblems(values: Values, options: ValidationOptions, told: Told): BindingProblem[] {
  const why = `for the input direction (${told(INPUT_FIELDS)})`;
  const problems = missing(REQUIRED_INPUT_FIELDS, values, why);
  if (values.get("writer") === "client") {
    problems.push(...missing(["cloudClientSecret"], values, 'where writer is "client"'));
  }
  problems.push(...valueProblems(INPUT_FIELDS, values, options));
  problems.push(...foreignScope(values, options));
  return problems;
}

function outputProblems(values: Values, options: ValidationOptions, told: Told): BindingProblem[] {
  const why = `for the output direction (${told(OUTPUT_FIELDS)})`;
  const problems = missing(["topicEndpoint"], values, why);
  if (values.get("publishWith") !== "entra") {
    const way = `${why}, unless publishWith is "entra"`;
    problems.push(...missing(["accessKey"], values, way));
  } else if (values.has("accessKey")) {
    const message = 'accessKey is not used where publishWith is "entra": remove one of the two';
    problems.push({ field: "accessKey", rule: "unused", message });
  }
  return [...problems, ...valueProblems(OUTPUT_FIELDS, values, options)];
}

function valueProblems(
  fields: readonly BindingField[],
  values: Values,
  { isUnresolved = () => false, existingSubscription = false }: ValidationOptions,
): BindingProblem[] {
  const problems: BindingProblem[] = [];
  for (const field of fields) {
    const value = values.get(field);
    if (value === undefined) continue;
    if (isUnresolved(value)) {
      if (isSwitch(field)) problems.push(unknownSwitch(field));
      continue;
    }
    const problem = fieldProblem(field, value, { existingSubscription });
    if (problem) problems.push(problem);
  }
  return problems;
}

function isSwitch(field: string): boolean {
  return SWITCHES.some((name) => name === field);
}

function unknownSwitch(field: string): BindingProblem {
  const message = `${field} must be known before anything is deployed: write the value itself`;
  return { field, rule: "known-early", message };
}

function foreignScope(
  values: Values,
  { isUnresolved = () => false }: ValidationOptions,
): BindingProblem[] {
  const text = values.get("scope");
  const own = values.get("cloudSubscriptionId");
  if (typeof text !== "string" || typeof own !== "string") return [];
  if (isUnresolved(text) || isUnresolved(own)) return [];
  if (!bindingRules.scope.test(text) || !isUuid(own)) return [];
  const scope = parseScope(text);
  if (scope.subscriptionId.toLowerCase() === own.toLowerCase()) return [];
  const received = shownValue(text);
  const message =
    `scope must lie in the subscription of cloudSubscriptionId (${own}), ` +
    `but names the subscription ${scope.subscriptionId}`;
  return [{ field: "scope", rule: "scope-subscription", message, received }];
}

/** Whether {@link validateBinding} finds nothing wrong. */
export function isBindingProps(props: unknown, options?: ValidationOptions): props is BindingProps {
  return validateBinding(props, options).length === 0;
}
