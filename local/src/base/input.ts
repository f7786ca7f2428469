import * as v from "valibot";
import { fields } from "./options.js";

/** The form of a value that a person enters, in a form's field or on the command line. */
export type InputKind = "text" | "number" | "flag" | "duration" | "json" | "pairs";

/** One value that a command or a fault takes: its check, its place on the command line, its text. */
export interface Input<S extends v.GenericSchema = v.GenericSchema> {
  readonly schema: S;
  readonly kind: InputKind;
  /** `--times <n>` for an option, `<event>` for an argument; missing if only programs give it. */
  readonly line?: string | undefined;
  readonly help: string;
  /** The only values. @default any that the schema accepts */
  readonly choices?: readonly string[] | undefined;
  /** Value of an option that is left out. */
  readonly initial?: string | number | undefined;
}

export type Inputs = Readonly<Record<string, Input>>;

type SchemasOf<T extends Inputs> = { [Name in keyof T]: T[Name]["schema"] };

/**
 * An input that may be left out, unless it is an argument such as `<event>`.
 *
 * @param line place on the command line; `undefined` if only programs give it
 */
export function optional<const S extends v.GenericSchema>(
  schema: S,
  line?: string,
  help?: string,
  more?: Partial<Omit<Input, "schema" | "line" | "help">>,
) {
  return required(v.optional(schema), line, help, more);
}

/** An input that must be given. */
export function required<const S extends v.GenericSchema>(
  schema: S,
  line?: string,
  help = "",
  more: Partial<Omit<Input, "schema" | "line" | "help">> = {},
): Input<S> {
  const kind = line?.startsWith("--") && !line.includes("<") ? "flag" : "text";
  return { schema, line, help, kind, ...more };
}

/** The schema of an object with these inputs and no other fields. */
export function schemaOf<const T extends Inputs>(inputs: T) {
  const schemas = Object.entries(inputs).map(([name, { schema }]) => [name, schema]);
  return fields<SchemasOf<T>>(Object.fromEntries(schemas));
}
