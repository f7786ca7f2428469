import type { Direction } from "../props.js";
import type { Field, FieldTable } from "./field.js";

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

/** Whether a field is one of a direction, or of every direction. */
export function isOfDirection(field: Pick<Field, "direction">, direction: Direction): boolean {
  return field.direction === "both" || direction.includes(field.direction);
}

/** Whether a definition with these values must have a field. */
export function isRequired(
  { required }: Field,
  values: Readonly<Record<string, unknown>>,
  fields: FieldTable,
): boolean {
  if (typeof required !== "object") return required === true;
  return (values[required.field] ?? fields[required.field]?.defaultValue) === required.value;
}

/** Whether a definition with these values uses a field; one that is required under a condition only then. */
export function isUsed(
  field: Field,
  values: Readonly<Record<string, unknown>>,
  fields: FieldTable,
): boolean {
  return typeof field.required !== "object" || isRequired(field, values, fields);
}
