import { LocalCloudError } from "../errors.js";
import type { ClockChoice, TimerClock } from "./clock.js";
import { FlowingClock } from "./flowing-clock.js";
import { SteppedClock } from "./stepped-clock.js";

export type { CancelTimer, Clock, ClockChoice, TimerClock } from "./clock.js";
export { type Duration, inMilliseconds } from "./duration.js";

/**
 * @throws LocalCloudError `ERR_CLOCK`
 * @param wallNow the wall's clock, in milliseconds since 1970
 * @param settle what a stepped clock waits for before it moves
 */
export function createClock(
  choice: ClockChoice,
  wallNow: () => number,
  settle: () => Promise<void>,
): TimerClock {
  if (choice === "stepped") return new SteppedClock(wallNow(), settle);
  if (choice === "real") return new FlowingClock(1, wallNow);
  const { scale } = choice;
  if (Number.isFinite(scale) && scale > 0) return new FlowingClock(scale, wallNow);
  throw new LocalCloudError(
    "ERR_CLOCK",
    `clock must be "real", "stepped" or { scale } with a number above 0 (60 lets a minute pass in a second), not ${JSON.stringify(choice)}.`,
  );
}
