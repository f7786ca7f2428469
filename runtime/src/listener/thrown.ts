import { types } from "node:util";

const LONGEST = 500;

/** Stands in the log for something thrown that is no error. */
class NoErrorThrown extends Error {
  constructor(thrown: unknown) {
    super(wordsFor(thrown));
    // Where it was thrown from is not known, and this place is of no interest.
    this.stack = this.message;
  }
}

/**
 * What was thrown, as a logger can show it: an error as it is, anything else in words. Of an object
 * that is no error only the names of its members are told, for it may carry a payload.
 */
export function readableError(thrown: unknown): unknown {
  return thrown instanceof Error || types.isNativeError(thrown)
    ? thrown
    : new NoErrorThrown(thrown);
}

function wordsFor(thrown: unknown): string {
  if (typeof thrown === "string") return `a string was thrown: ${thrown.slice(0, LONGEST)}`;
  if (typeof thrown === "function") return "a function was thrown";
  if (typeof thrown !== "object" || thrown === null) return `${String(thrown)} was thrown`;
  const names = Object.keys(thrown).slice(0, 10).join(", ");
  return `an object that is no Error was thrown${names && `, with ${names.slice(0, LONGEST)}`}`;
}
