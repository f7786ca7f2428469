import { inspect } from "node:util";
import { isObject } from "../control-plane/json-fields.js";
import { LocalCloudError } from "../errors.js";

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
 * Callers without types may give anything for a duration.
 *
 * @throws LocalCloudError `ERR_DURATION` that names everything that makes it none: no unit at all, an
 * unknown one, a negative part, a part that is no number
 */
export function checkDuration(value: unknown): asserts value is Duration {
  if (!isObject(value)) {
    throw refusal([`A duration is an object, ${EXAMPLE}, not ${inspect(value)}.`]);
  }
  const parts = Object.entries(value).filter(([, part]) => part !== undefined);
  if (parts.length === 0) {
    throw refusal([`A duration needs one of ${UNITS.join(", ")}, ${EXAMPLE}.`]);
  }
  const problems = parts.flatMap(([unit, part]) => {
    if (!UNITS.includes(unit)) return `A duration has ${UNITS.join(", ")}, not '${unit}'.`;
    if (Number.isFinite(part) && Number(part) >= 0) return [];
    return `The ${unit} of a duration must be a number, 0 or more, not ${inspect(part)}.`;
  });
  if (problems.length > 0) throw refusal(problems);
}

function refusal(problems: readonly string[]): LocalCloudError {
  return new LocalCloudError("ERR_DURATION", problems.join(" "));
}
