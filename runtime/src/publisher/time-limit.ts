import { shownValue } from "../binding/shown-value.js";

/** The longest wait that Node's timers keep. */
export const LONGEST_MS = 2 ** 31 - 1;

/** What is wrong with a time limit. */
export function timeLimitProblem(name: string, value: unknown): string | undefined {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1) {
    return `${name} is ${shownSetting(value)}: it must be a positive whole number`;
  }
  return value > LONGEST_MS ? `${name} is ${value}: it must be from 1 to ${LONGEST_MS}` : undefined;
}

/** A number that was given, or what was given in its place, as a message shows it. */
export function shownSetting(value: unknown): string {
  return typeof value === "number" ? String(value) : shownValue(value);
}
