import * as v from "valibot";
import {
  type Input,
  type Inputs,
  isNamed,
  LocalCloudError,
  schemaOf,
  serviceError,
} from "../base/index.js";
import type { RunningCloud } from "../dashboard/index.js";
import type { Exchange } from "../http/index.js";
import type { JsonText } from "./output.js";

/** A command of the command line that calls the command of a row. */
export interface CommandLine<Values = Readonly<Record<string, unknown>>, Result = unknown> {
  /** For example `keys rotate`. */
  readonly words: string;
  /** Text of the help; may have Markdown links for the documentation. */
  readonly help: string;
  /** Arguments and options. @default those of the row */
  readonly inputs?: Inputs;
  /**
   * What the command sends. @default the values
   *
   * @throws LocalCloudError `ERR_COMMAND_LINE` if the values do not fit together
   */
  body?(values: Values): object;
  /** Returns what `--json` prints. @default the result, or the values of a command without one */
  json?(result: Result, values: Values): unknown;
  /** Returns the text for a person. */
  text(result: Result, values: Values): string;
  /** Why the command counts as failed although the cloud carried it out. */
  failure?(result: Result): string | undefined;
}

/** The fields of every row of the table of commands. */
interface Row<T extends Inputs> {
  /** Effect, for the documentation of the HTTP interface; the dashboard's own commands have none. */
  readonly help?: string;
  readonly inputs?: T;
  /** The body as the documentation shows it. @default the names of the inputs */
  readonly bodyExample?: string;
  /** Whether it shows keys or events, so that programs on this machine need the token too. */
  readonly needsToken?: boolean;
  /** The largest body, in bytes. @default 4 MiB */
  readonly maxBytes?: number;
}

/** A row of the table: a function of the cloud that other processes can call. */
export interface Command<S extends v.GenericSchema = v.GenericSchema, Result = unknown>
  extends Row<Inputs> {
  readonly schema: S;
  readonly inputs: Inputs;
  readonly lines: readonly CommandLine<never, never>[];
  run(cloud: RunningCloud, input: v.InferOutput<S>, exchange: Exchange): Result | Promise<Result>;
}

type InputOf<T extends Inputs> = v.InferOutput<ReturnType<typeof schemaOf<T>>>;

/** A result as a client reads it. */
export type Read<Result> = Result extends JsonText<infer T> ? T : Result;

/** A command whose input is an object with these fields. */
export function command<const T extends Inputs = Record<never, Input>, Result = unknown>(
  row: Row<T> & {
    readonly run: (
      cloud: RunningCloud,
      input: InputOf<T>,
      exchange: Exchange,
    ) => Result | Promise<Result>;
    readonly line?: CommandLine<InputOf<T>, Read<Result>>;
    readonly lines?: readonly CommandLine<never, Read<Result>>[];
  },
) {
  return commandOf(schemaOf<T>(row.inputs ?? ({} as T)), row);
}

/** A command whose whole input has this schema. */
export function commandOf<const S extends v.GenericSchema, Result>(
  schema: S,
  row: Row<Inputs> & {
    readonly run: (
      cloud: RunningCloud,
      input: v.InferOutput<S>,
      exchange: Exchange,
    ) => Result | Promise<Result>;
    readonly line?: CommandLine<never, Read<Result>>;
    readonly lines?: readonly CommandLine<never, Read<Result>>[];
  },
): Command<S, Result> {
  const { line, lines = line ? [line] : [], inputs = {}, ...others } = row;
  return { ...others, schema, inputs, lines };
}

/** A command of the command line with its own arguments and options. */
export function line<const T extends Inputs, Result>(
  row: CommandLine<InputOf<T>, Result> & { readonly inputs: T },
): CommandLine<never, Result> {
  return row;
}

/** A command of the command line that deletes what its only argument names. */
export function deletion(words: string, help: string): CommandLine {
  return {
    words,
    help,
    json: (_, values) => ({ deleted: Object.values(values)[0] }),
    text: (_, values) => `Deleted ${Object.values(values)[0]}.`,
  };
}

/** Finds a resource by its name or ID. @throws ServiceError 404 with the names that exist */
export function named<T extends { readonly id: string; readonly name: string }>(
  kind: string,
  resources: { list(): readonly T[] },
  nameOrId: string,
): T {
  const all = resources.list();
  const found = all.find((each) => isNamed(each, nameOrId));
  if (found) return found;
  throw unknown(
    kind,
    nameOrId,
    all.map(({ name }) => name),
  );
}

/** The event that a command means: its number in the activity log, or its `id`. */
export const numberOrId = v.pipe(
  v.union([v.number(), v.string()]),
  v.transform((event) => {
    const number = Number(event);
    const isNumber = number > 0 && Number.isSafeInteger(number) && `${number}` === `${event}`;
    return isNumber ? number : event;
  }),
);

/** The error for values of the command line that do not fit together. */
export function invalidLine(message: string): LocalCloudError {
  return new LocalCloudError("ERR_COMMAND_LINE", message);
}

/** How many names the error for an unknown one lists. */
const MAX_NAMES = 10;

/** The error for a resource that does not exist, with the names of those that do. */
export function unknown(kind: string, nameOrId: string, names: readonly string[] = []) {
  const listed = names.slice(0, MAX_NAMES).join(", ") + (names.length > MAX_NAMES ? ", …" : "");
  const others = listed === "" ? "" : ` There are: ${listed}.`;
  return serviceError.ResourceNotFound(`There is no ${kind} '${nameOrId}'.${others}`);
}
