import { type Colours, coloured } from "./colour.js";
import { StatusLine } from "./status-line.js";
import { withoutSecrets } from "./urls.js";

/** The process that runs a command, so that a test can replace it. */
export interface Streams {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory that relative file names start from. */
  readonly directory: string;
  /** Reads standard input to its end. */
  readonly input?: () => Promise<string>;
  /** Asks a person a question; missing when nobody can answer. */
  readonly ask?: (question: string) => Promise<string>;
  /**
   * Keeps Ctrl-C and the like from ending the process: they abort the signal instead. A second one ends
   * the process.
   */
  readonly interruption?: () => AbortSignal;
  /** Width of the terminal; missing when the output is no terminal, which is then not wrapped. */
  readonly columns?: number;
  /** Whether to colour the output. @default false */
  readonly usesColour?: boolean;
  /** Writes to the terminal of standard error; missing when it is no terminal. */
  readonly status?: (text: string) => void;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/** The input and output of a command. */
export interface Terminal extends Omit<Streams, "out" | "status" | "usesColour"> {
  /**
   * Prints a text without control characters.
   *
   * @param colours words at the beginning of lines that have a colour
   */
  readonly out: (text: string, colours?: Colours) => void;
  /** Says on a terminal what the command does, if it takes longer than a second. */
  readonly progress: (text: string) => void;
  /** Removes what `progress` said. */
  readonly done: () => void;
}

/**
 * The text of standard input.
 *
 * @throws {UsageError} when there is none
 */
export async function standardInput({ input }: Pick<Terminal, "input">): Promise<string> {
  if (input === undefined) throw new UsageError("there is no standard input to read");
  return input();
}

export function terminalOf({ usesColour, status, ...streams }: Streams): Terminal {
  const line = status && new StatusLine(status);
  const { ask } = streams;
  return {
    ...streams,
    out: (text, colours) => {
      line?.clear();
      const shown = printable(text);
      streams.out(usesColour && colours !== undefined ? coloured(shown, colours) : shown);
    },
    error: (text) => {
      line?.clear();
      streams.error(withoutSecrets(printable(text)));
    },
    ...(ask && {
      ask: (question: string) => {
        line?.clear();
        return ask(printable(question));
      },
    }),
    progress: (text) => line?.show(printable(text)),
    done: () => line?.clear(),
  };
}

/** Exit codes that all commands share; `probe` has more. They are stable across releases. */
export const ExitCode = {
  ok: 0,
  /** The command itself failed: a file cannot be read, Azure cannot be reached. */
  failed: 1,
  /** The arguments are wrong. */
  usage: 2,
  /** The command worked, and found problems. */
  problems: 3,
  /** The command found no problem, but could not inspect everything. */
  unknown: 4,
} as const;

/** Ends a command with a message for the user, without a stack trace. */
export class CommandError extends Error {
  constructor(
    message: string,
    /** @default ExitCode.failed */
    readonly exitCode: number = ExitCode.failed,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Arguments that commander accepts and the command does not. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, ExitCode.usage);
  }
}

/** Pretty-printed JSON, ended by a line feed. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * The text without control characters, which would let an event, a header or a name move the cursor or
 * rewrite what the terminal shows. They become JSON escapes, so that JSON stays the same value.
 */
function printable(text: string): string {
  return text.replace(CONTROL, (character) => {
    if (character === "\n" || character === "\t") return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Data of others as a part of a line, which it must neither end nor divide. */
export function oneLine(text: string): string {
  return text.replace(/[\n\t]/g, (character) => (character === "\n" ? "\\n" : "\\t"));
}

/** Control characters, and the marks that reverse the direction of a line. */
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
