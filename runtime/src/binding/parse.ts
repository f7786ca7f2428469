import { ConfigurationError, type Problem } from "../errors.js";
import { showValue } from "../validation/index.js";
import type { CloudEnvironmentName } from "./cloud-environment.js";
import { directionOf, fieldProblems, type ValidationOptions } from "./definition-problems.js";
import { bindingFields } from "./field-table.js";
import { definitionFields, type FieldTable, isOfDirection } from "./fields.js";
import type { Direction } from "./props.js";

type Table = typeof bindingFields;
type RequiredField<D> = {
  [Name in keyof Table]: Table[Name] extends { direction: D; required: true } ? Name : never;
}[keyof Table];

interface ResolvedCommon {
  readonly cloudEnvironment: CloudEnvironmentName;
  readonly cloudAuthorityHost?: string;
}

type ResolvedInput = { readonly [Name in RequiredField<"input">]: string } & {
  readonly eventSubscriptionName?: string;
} & (
    | { readonly writer: "deployer"; readonly cloudClientSecret?: string }
    | { readonly writer: "client"; readonly cloudClientSecret: string }
  );

type ResolvedOutput = { readonly [Name in RequiredField<"output">]: string } & (
  | { readonly publishWith: "accessKey"; readonly accessKey: string }
  | { readonly publishWith: "entra" }
);

/** A binding with its direction, its defaults filled in and its values in normal form. */
export type ResolvedBinding<D extends Direction = Direction> = D extends "input"
  ? { readonly direction: "input" } & ResolvedCommon & ResolvedInput
  : D extends "output"
    ? { readonly direction: "output" } & ResolvedCommon & ResolvedOutput
    : { readonly direction: "input, output" } & ResolvedCommon & ResolvedInput & ResolvedOutput;

/**
 * Parses a definition: the binding in normal form, or everything that is wrong with it. Fields that do
 * not belong to a binding are ignored. Parsing the result again changes nothing.
 *
 * @param fields the table of the kind of binding
 */
export function parseBinding<Resolved extends object = ResolvedBinding>(
  props: unknown,
  options: ValidationOptions = {},
  fields: FieldTable = bindingFields,
): Resolved | Problem[] {
  if (typeof props !== "object" || props === null) {
    const received = showValue(props);
    const message = `A binding must be an object with the fields of its direction, but is ${received}`;
    return [{ field: "binding", rule: "type", message, received }];
  }
  const values: Readonly<Record<string, unknown>> = { ...props };
  const problems = fieldProblems(values, options, fields);
  if (problems.length > 0) return problems;
  const { isUnresolved = () => false } = options;
  const direction = directionOf(values, fields);
  const ofDirection = definitionFields(fields).filter(
    (field) => direction !== undefined && isOfDirection(field, direction),
  );
  const binding: Record<string, unknown> = {};
  for (const field of ofDirection) {
    const value = field.name === "direction" ? direction : values[field.name];
    const set = value ?? field.defaultValue;
    // Only text has a normal form, and a value that is known only later may be text, too.
    const normal =
      typeof set === "string" ? (field.normalize?.(set, isUnresolved(set)) ?? set) : set;
    if (normal !== undefined) binding[field.name] = normal;
  }
  return binding as Resolved;
}

/**
 * As {@link parseBinding}.
 *
 * @throws {ConfigurationError} with everything that is wrong
 */
export function resolveBinding<Resolved extends object = ResolvedBinding>(
  props: object,
  options?: ValidationOptions,
  fields?: FieldTable,
): Resolved {
  const binding = parseBinding<Resolved>(props, options, fields);
  if (Array.isArray(binding)) throw new ConfigurationError("The binding is invalid", binding);
  return binding;
}

/**
 * Reports everything that is wrong with a set of props; an empty list means that they are valid.
 * Fields that do not belong to a binding are ignored.
 */
export function validateBinding(props: unknown, options: ValidationOptions = {}): Problem[] {
  const binding = parseBinding(props, options);
  return Array.isArray(binding) ? binding : [];
}
