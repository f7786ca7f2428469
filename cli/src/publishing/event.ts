import { readText } from "../files.js";
import { inexactNumber } from "../numbers.js";
import { standardInput, type Terminal, UsageError } from "../terminal/index.js";

export interface EventFlags {
  readonly type?: string;
  readonly data?: string;
  readonly subject?: string;
  readonly source?: string;
  readonly id?: string;
}

/** The source of an event if neither the options nor the binding name one. */
const SOURCE = "cloud-eventgrid";

/**
 * The event to publish.
 *
 * @param name the binding's name, which is the default source
 * @throws {UsageError} when it has no type, or data that is not JSON or would change
 */
export async function readEvent(
  { type, data, subject, source, id }: EventFlags,
  terminal: Terminal,
  name = SOURCE,
) {
  if (type === undefined) throw new UsageError("give the event's type with --type");
  if (type.trim() === "" || /[\p{Cc}\p{Cs}]/u.test(type)) {
    throw new UsageError("--type must be a text without control characters");
  }
  const value = data === undefined ? undefined : await readData(data, terminal);
  return {
    type,
    source: source ?? name,
    ...(id !== undefined && { id }),
    ...(subject !== undefined && { subject }),
    ...(value !== undefined && { data: value.json }),
  };
}

/** JSON, or `@` and the name of a file with it; `@-` stands for standard input. */
async function readData(argument: string, terminal: Terminal) {
  const file = argument.startsWith("@") ? argument.slice(1) : undefined;
  let text = argument;
  if (file === "-") text = await standardInput(terminal);
  else if (file !== undefined) text = readText(terminal.directory, file);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    throw new UsageError(
      `--data must be JSON, or @ and the name of a file with it: ${file === undefined ? message : file}`,
    );
  }
  const number = inexactNumber(text);
  if (number === undefined) return { json };
  throw new UsageError(
    `--data has the number ${number}, which JavaScript would change: write it as a string`,
  );
}
