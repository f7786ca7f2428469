import { LocalCloudError } from "../errors.js";

/** A span of time, in any mix of units. */
export interface Duration {
  readonly milliseconds?: number;
  readonly seconds?: number;
  readonly minutes?: number;
  readonly hours?: number;
  readonly days?: number;
}

/** @throws LocalCloudError `ERR_DURATION` when a part is negative or no number */
export function inMilliseconds(duration: Duration): number {
  const { milliseconds = 0, seconds = 0, minutes = 0, hours = 0, days = 0 } = duration;
  const parts = { milliseconds, seconds, minutes, hours, days };
  for (const [unit, value] of Object.entries(parts)) {
    if (Number.isFinite(value) && value >= 0) continue;
    throw new LocalCloudError(
      "ERR_DURATION",
      `The ${unit} of a duration must be 0 or more, not ${value}.`,
    );
  }
  return milliseconds + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)));
}
