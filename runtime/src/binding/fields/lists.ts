import type { Direction } from "../props.js";
import type { Field, FieldTable } from "./field.js";

export type NamedField = Field & { readonly name: string };

/** The fields of a table that a definition may have. */
interface DefinitionFields {
  readonly all: readonly NamedField[];
  /** Of one direction or of both, the required ones first. */
  readonly input: readonly NamedField[];
  readonly output: readonly NamedField[];
  readonly both: readonly NamedField[];
}

export function definitionFields(fields: FieldTable): DefinitionFields {
  const all = namedFields(fields).filter(({ service }) => !service?.isOption);
  const requiredFirst = [
    ...all.filter(({ required }) => required === true),
    ...all.filter(({ required }) => required !== true),
  ];
  const of = (direction: Field["direction"]) =>
    requiredFirst.filter((field) => field.direction === direction);
  return { all, input: of("input"), output: of("output"), both: of("both") };
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
  const { input, output } = definitionFields(fields);
  if (output.length === 0) return "input";
  return input.length === 0 ? "output" : undefined;
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
  const lists = definitionFields(fields);
  const input = lists.input.some(({ name }) => isSet(name));
  const output = lists.output.some(({ name }) => isSet(name));
  if (input && output) return "input, output";
  if (input) return "input";
  return output ? "output" : undefined;
}

export function hasInput(direction: Direction): boolean {
  return direction !== "output";
}

export function hasOutput(direction: Direction): boolean {
  return direction !== "input";
}

export function isOfDirection(field: Field, direction: Direction): boolean {
  if (field.direction === "both") return true;
  return field.direction === "input" ? hasInput(direction) : hasOutput(direction);
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
