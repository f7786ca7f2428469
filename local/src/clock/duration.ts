/** A span of time, in any mix of units. */
export interface Duration {
  readonly milliseconds?: number;
  readonly seconds?: number;
  readonly minutes?: number;
  readonly hours?: number;
  readonly days?: number;
}

export function inMilliseconds(duration: Duration): number {
  const { milliseconds = 0, seconds = 0, minutes = 0, hours = 0, days = 0 } = duration;
  return milliseconds + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)));
}
