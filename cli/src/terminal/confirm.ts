import { type Terminal, UsageError } from "./terminal.js";

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
  return /^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim());
}
