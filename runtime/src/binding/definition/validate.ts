import { type Problem, problemsOf, showValue } from "../../validation/index.js";
import type { BindingProps, Direction } from "../props.js";
import {
  type BindingField,
  bindingRules,
  existingSubscriptionNameRule,
  parseScope,
  uuidRule,
} from "../rules/index.js";
import {
  COMMON_FIELDS,
  directionOfFields,
  hasInput,
  hasOutput,
  INPUT_FIELDS,
  OUTPUT_FIELDS,
  REQUIRED_INPUT_FIELDS,
} from "./fields.js";

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

/** Fields that decide which others are needed, so that they must be known when props are validated. */
const SWITCHES: readonly string[] = ["direction", "writer", "publishWith", "cloudEnvironment"];

/** Names of fields in the earlier release of the specification. */
const EARLIER_NAMES: Readonly<Record<string, string>> = {
  cloudTenantId: "tenantId",
  cloudSubscriptionId: "subscriptionId",
  cloudClientId: "clientId",
  cloudClientSecret: "clientSecret",
};

/**
 * Reports everything that is wrong with a set of props; an empty list means that they are valid.
 * Fields that do not belong to a binding are ignored.
 */
export function validateBinding(props: unknown, options: ValidationOptions = {}): Problem[] {
  if (typeof props === "object" && props !== null) {
    return validateFields({ ...props }, options, propsWording);
  }
  const received = showValue(props);
  const message = `A binding must be an object with the fields of its direction, but is ${received}`;
  return [{ field: "binding", rule: "type", message, received }];
}

/** Whether {@link validateBinding} reports nothing. */
export function isBindingProps(props: unknown, options?: ValidationOptions): props is BindingProps {
  return validateBinding(props, options).length === 0;
}

type Values = Readonly<Record<string, unknown>>;

/** As {@link validateBinding}, for the fields of any definition. */
export function validateFields(
  values: Values,
  options: ValidationOptions,
  wording: FieldWording,
): Problem[] {
  const named = bindingRules.direction.test(values.direction);
  const direction = named
    ? (values.direction as Direction)
    : directionOfFields((field) => values[field] !== undefined);
  const check = { values, options, wording, named };
  const problems = invalidValues(["direction"], check);
  if (direction === undefined) {
    if (problems.length === 0) problems.push(nothingSet(wording));
  } else {
    problems.push(
      ...(hasInput(direction) ? inputProblems(check) : misplaced(INPUT_FIELDS, direction, values)),
      ...(hasOutput(direction)
        ? outputProblems(check)
        : misplaced(OUTPUT_FIELDS, direction, values)),
    );
  }
  return [...problems, ...invalidValues(COMMON_FIELDS, check)];
}

interface FieldsCheck {
  readonly values: Values;
  readonly options: ValidationOptions;
  readonly wording: FieldWording;
  /** Whether the definition names its direction, rather than implying it. */
  readonly named: boolean;
}

function inputProblems(check: FieldsCheck): Problem[] {
  const { values, wording } = check;
  const why = `to receive events${impliedBy(INPUT_FIELDS, check)}`;
  const problems = missing(REQUIRED_INPUT_FIELDS, why, check);
  if (values.writer === "client") {
    const reason = wording.hasSwitches ? 'because writer is "client"' : why;
    problems.push(...missing(["cloudClientSecret"], reason, check));
  }
  return [...problems, ...invalidValues(INPUT_FIELDS, check), ...scopeOfOtherSubscription(check)];
}

function outputProblems(check: FieldsCheck): Problem[] {
  const { values, wording } = check;
  const why = `to publish events${impliedBy(OUTPUT_FIELDS, check)}`;
  const problems = missing(["topicEndpoint"], why, check);
  if (values.publishWith !== "entra") {
    const unless = wording.hasSwitches ? ', unless publishWith is "entra"' : "";
    problems.push(...missing(["accessKey"], `${why}${unless}`, check));
  } else if (values.accessKey !== undefined) {
    const message = 'accessKey is not used if publishWith is "entra": remove one of the two';
    problems.push({ field: "accessKey", rule: "unused", message });
  }
  return [...problems, ...invalidValues(OUTPUT_FIELDS, check)];
}

/** Explains why fields are expected for a direction that the definition does not name. */
function impliedBy(fields: readonly string[], { values, wording, named }: FieldsCheck): string {
  if (named) return "";
  const set = fields
    .filter((field) => values[field] !== undefined && (wording.hasSwitches || field !== "writer"))
    .map((field) => wording.nameOf(field));
  return ` (${set.join(", ")} ${set.length > 1 ? "are" : "is"} set)`;
}

function missing(fields: readonly string[], why: string, check: FieldsCheck): Problem[] {
  const { values, wording } = check;
  return fields
    .filter((field) => values[field] === undefined)
    .map((field) => {
      const earlier = EARLIER_NAMES[field];
      const isSet = earlier !== undefined && values[earlier] !== undefined;
      const hint = isSet ? `: rename ${earlier} to ${field}` : "";
      const state = field in values ? "is undefined, but required" : "is required";
      const message = `${wording.nameOf(field)} ${state} ${why}${hint}`;
      return { field, rule: "required", message };
    });
}

function misplaced(fields: readonly string[], direction: Direction, values: Values): Problem[] {
  const other = direction === "input" ? "output" : "input";
  return fields
    .filter((field) => values[field] !== undefined)
    .map((field) => ({
      field,
      rule: "direction",
      message:
        `${field} belongs to the ${other} direction, but direction is "${direction}": ` +
        'remove it, or set direction to "input, output"',
    }));
}

function nothingSet({ nameOf }: FieldWording): Problem {
  const message =
    `direction is not set, and neither is a field of one: set ${REQUIRED_INPUT_FIELDS.map(nameOf).join(", ")} ` +
    "to receive events, topicEndpoint and accessKey to publish events";
  return { field: "direction", rule: "required", message };
}

function invalidValues(
  fields: readonly BindingField[],
  { values, options, wording }: FieldsCheck,
): Problem[] {
  const { isUnresolved = () => false, existingSubscription = false } = options;
  return fields.flatMap((field): Problem[] => {
    const value = values[field];
    if (value === undefined) return [];
    if (isUnresolved(value)) return SWITCHES.includes(field) ? [unknownSwitch(field)] : [];
    const isExistingName = field === "eventSubscriptionName" && existingSubscription;
    const rule = isExistingName ? existingSubscriptionNameRule : bindingRules[field];
    return problemsOf(rule, wording.nameOf(field), value).map((problem) => ({ ...problem, field }));
  });
}

function unknownSwitch(field: string): Problem {
  const message = `${field} must be known before anything is deployed: write the value itself`;
  return { field, rule: "known-early", message };
}

function scopeOfOtherSubscription({ values, options, wording }: FieldsCheck): Problem[] {
  const { scope, cloudSubscriptionId: own } = values;
  if (typeof scope !== "string" || !bindingRules.scope.test(scope)) return [];
  if (typeof own !== "string" || !uuidRule.test(own) || options.isUnresolved?.(scope)) return [];
  const { subscriptionId } = parseScope(scope);
  if (subscriptionId.toLowerCase() === own.toLowerCase()) return [];
  const message =
    `scope must lie in the subscription of ${wording.nameOf("cloudSubscriptionId")} (${own}), ` +
    `but names the subscription ${subscriptionId}`;
  return [{ field: "scope", rule: "scope-subscription", message, received: showValue(scope) }];
}
