import { createInterface } from "node:readline/promises";
import { CommandError, type Terminal, UsageError } from "./terminal.js";

/** Exit code of a program that Ctrl-C ended, as shells report it. */
export const INTERRUPTED = 130;

/**
 * Asks a person a question.
 *
 * @throws {CommandError} when the person presses Ctrl-C, or ends the input with Ctrl-D
 */
export async function ask(
  question: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<string> {
  const lines = createInterface({ input, output });
  const interrupted = new Promise<never>((_, reject) => {
    const interrupt = () => reject(new CommandError("interrupted", INTERRUPTED));
    lines.once("SIGINT", interrupt);
    lines.once("close", interrupt);
  });
  const answer = lines.question(question);
  // Node rejects it at the end of the input, too, with an error of its own.
  answer.catch(() => undefined);
  try {
    return await Promise.race([interrupted, answer]);
  } finally {
    interrupted.catch(() => undefined);
    lines.close();
  }
}

/**
 * Asks for a yes.
 *
 * @param otherwise what to do if nobody can answer, such as "add --yes to send them"
 * @throws {UsageError} when nobody can answer
 */
export async function isConfirmed(
  { ask }: Terminal,
  question: string,
  otherwise: string,
): Promise<boolean> {
  if (ask === undefined) throw new UsageError(otherwise);
  const answer = await ask(`${question} [y/N] `);
  return ["y", "yes"].includes(answer.trim().toLowerCase());
}
