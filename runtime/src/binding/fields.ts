import type { Rule } from "../validation/index.js";
import type { Direction } from "./props.js";

/**
 * The field names of a document: the specification's current ones, those of its earlier release, or
 * the vendor's own.
 */
export type Vocabulary = "current" | "earlier" | "vendor";

/**
 * Everything about one field of a binding: the only place that states it. Values are text, and numbers
 * if the rule is about one.
 */
export interface Field {
  /** The direction that the field belongs to; `both` for a field that either may have. */
  readonly direction: "input" | "output" | "both";
  /** The meaning of the field, as docs/binding.md shows it. */
  readonly description: string;
  /** The rule decides whether a value is valid, and whether it is a secret. */
  readonly rule: Rule;
  /** The rule if the event subscription exists already. @default `rule` */
  readonly ruleIfExisting?: Rule;
  /** Whether a definition of its direction must have it. @default false */
  readonly required?: true | RequiredWith;
  /** The value of a field that is left out. It is not written to environments and documents. */
  readonly defaultValue?: string | number;
  /** Whether it decides which others are needed, so that it must be known early. @default false */
  readonly isSwitch?: true;
  /** Returns the normal form of a valid value. An unresolved one cannot be parsed. @default the value */
  normalize?(value: string, isUnresolved: boolean): string;
  /** Its names in component documents; absent if those cannot have it. */
  readonly documentNames?: DocumentNames;
  /** How a running service reads it; absent for a field that only the infrastructure uses. */
  readonly service?: ServiceField;
}

/** Requires a field if another one has a value. */
export interface RequiredWith {
  readonly field: string;
  readonly value: string;
  /** Whether the field is a problem with any other value. @default "optional" */
  readonly otherwise?: "unused";
}

/** The names of a field that differ from its own. */
export interface DocumentNames {
  /** Null if the earlier release does not have the field. */
  readonly earlier?: string | null;
  readonly vendor?: string;
  /** An older name that the vendor's component still accepts: it is read, but not written. */
  readonly older?: string;
}

/** How a running service reads a field. */
export interface ServiceField {
  /** Name of its environment variable, after the prefix; absent if the environment does not have it. */
  readonly variable?: string;
  /** Whether the service cannot do without it; a condition in `required` applies here, too. */
  readonly required?: true;
  /** Whether the variable is found in bindings only, so that it reveals the prefix of one. */
  readonly isDistinctive?: true;
  /** Whether the definition does not have it: it is an option of the environment. */
  readonly isOption?: true;
  /** Whether it describes the event subscription, and is left out if others deliver as well. */
  readonly describesSubscription?: true;
  /** Whether an unresolved value is left out, so that the service does not depend on a resource. */
  readonly isLiteral?: true;
}

/** The fields of a binding by name, in the order in which environments are written. */
export type FieldTable = Readonly<Record<string, Field>>;

export type NamedField = Field & { readonly name: string };

/** The fields that a definition may have. */
export function definitionFields(fields: FieldTable): readonly NamedField[] {
  return namedFields(fields).filter(({ service }) => !service?.isOption);
}

/** The fields that a running service reads, from its environment or a definition. */
export function serviceFields(fields: FieldTable): readonly NamedField[] {
  return namedFields(fields).filter(({ service }) => service !== undefined);
}

function namedFields(fields: FieldTable): NamedField[] {
  return Object.entries(fields).map(([name, field]) => ({ name, ...field }));
}

/** The direction of a table whose fields all belong to the same one. */
export function oneDirectionOf(fields: FieldTable): "input" | "output" | undefined {
  const direction = directionOfFields(fields, () => true);
  return direction === "input, output" ? undefined : direction;
}

/**
 * The direction that follows from the fields that are set; undefined when none of either is.
 *
 * One field implies the whole direction, so that fields which are missing can be reported.
 */
export function directionOfFields(
  fields: FieldTable,
  isSet: (field: string) => boolean,
): Direction | undefined {
  const has = (direction: Field["direction"]) =>
    definitionFields(fields).some((field) => field.direction === direction && isSet(field.name));
  if (!has("output")) return has("input") ? "input" : undefined;
  return has("input") ? "input, output" : "output";
}

/** Reports whether a field is one of a direction, or of every direction. */
export function isOfDirection(field: Pick<Field, "direction">, direction: Direction): boolean {
  return field.direction === "both" || direction.includes(field.direction);
}

/** Reports whether a definition with these values must have a field. */
export function isRequired(
  { required }: Field,
  values: Readonly<Record<string, unknown>>,
  fields: FieldTable,
): boolean {
  if (typeof required !== "object") return required === true;
  return (values[required.field] ?? fields[required.field]?.defaultValue) === required.value;
}
