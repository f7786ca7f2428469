import { inspect } from "node:util";
import { isObject, LocalCloudError } from "../base/index.js";

/** A span of time, in any mix of units. */
export interface Duration {
  readonly milliseconds?: number;
  readonly seconds?: number;
  readonly minutes?: number;
  readonly hours?: number;
  readonly days?: number;
}

const UNITS: readonly string[] = ["milliseconds", "seconds", "minutes", "hours", "days"];

const EXAMPLE = "such as { minutes: 5 }";

/** @throws LocalCloudError `ERR_DURATION` as {@link checkDuration} */
export function inMilliseconds(duration: Duration): number {
  checkDuration(duration);
  const { milliseconds = 0, seconds = 0, minutes = 0, hours = 0, days = 0 } = duration;
  return milliseconds + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)));
}

/**
 * Checks a duration, which an untyped caller may have passed.
 *
 * @throws LocalCloudError `ERR_DURATION` with every problem: no unit, an unknown unit, a value that
 * is not a number or is negative
 */
export function checkDuration(value: unknown): asserts value is Duration {
  if (!isObject(value)) {
    throw durationError([`A duration is an object, ${EXAMPLE}, not ${inspect(value)}.`]);
  }
  const given = Object.entries(value).filter(([, amount]) => amount !== undefined);
  if (given.length === 0) {
    throw durationError([`A duration needs one of ${UNITS.join(", ")}, ${EXAMPLE}.`]);
  }
  const problems = given.flatMap(([unit, amount]) => {
    if (!UNITS.includes(unit)) return `A duration has ${UNITS.join(", ")}, not '${unit}'.`;
    if (Number.isFinite(amount) && Number(amount) >= 0) return [];
    return `The ${unit} of a duration must be a number, 0 or more, not ${inspect(amount)}.`;
  });
  if (problems.length > 0) throw durationError(problems);
}

function durationError(problems: readonly string[]): LocalCloudError {
  return new LocalCloudError("ERR_DURATION", problems.join(" "));
}
