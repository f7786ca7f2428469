import type { ClockChoice, TimerClock } from "./clock.js";
import { FlowingClock } from "./flowing-clock.js";
import { SteppedClock } from "./stepped-clock.js";

export type { CancelTimer, Clock, ClockChoice, TimerClock } from "./clock.js";
export { checkDuration, type Duration, inMilliseconds } from "./duration.js";

/**
 * The clock of one's choice.
 *
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
  return new FlowingClock(choice.scale, wallNow);
}
