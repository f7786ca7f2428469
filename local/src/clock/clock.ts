import type { Duration } from "./duration.js";

/**
 * How time runs in Event Grid: retries, delivery time-outs, times to live and expirations follow
 * this clock. Tokens do not, since whoever checks them has a clock of their own.
 *
 * - `"real"`: as on the wall
 * - `{ scale: 60 }`: sixty times as fast, so that a minute's wait takes a second
 * - `"stepped"`: it stands still until a test calls `advance` or `drain`
 */
export type ClockChoice = "real" | "stepped" | { readonly scale: number };

/** The time of the local Event Grid. */
export interface Clock {
  /** Milliseconds since 1970 on this clock. */
  now(): number;

  /**
   * Moves a stepped clock on, firing what falls due in the order in which it does. Answers under
   * way are awaited before each step, so that nothing times out that would have been answered.
   *
   * @throws LocalCloudError `ERR_CLOCK_NOT_STEPPED` on any other clock
   */
  advance(duration: Duration): Promise<void>;
}

export type CancelTimer = () => void;

/** What Event Grid itself needs of a clock. */
export interface TimerClock extends Clock {
  /**
   * @param delayMs milliseconds on this clock
   * @param atLeastRealMs what a scaled clock must not undercut, for waits that depend on others
   */
  schedule(delayMs: number, callback: () => void, atLeastRealMs?: number): CancelTimer;

  /** Jumps to the next timer and fires it, where time stands still; `false` where it flows. */
  step(): Promise<boolean>;

  /** Forgets all timers. */
  clear(): void;
}
