import { type ClockChoice, FlowingClock, SteppedClock, type TimerClock } from "./clock.js";

export type { CancelTimer, Clock, ClockChoice, TimerClock } from "./clock.js";
export { checkDuration, type Duration, inMilliseconds } from "./duration.js";
export {
  type ActiveFault,
  type DeliveryFault,
  type FaultKind,
  type FaultReach,
  Faults,
  faultKinds,
  type PublishFault,
  type ReceivingFault,
} from "./faults.js";

/**
 * @param wallNow the wall clock, in milliseconds since 1970
 * @param settle resolves when a stepped clock may move
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
