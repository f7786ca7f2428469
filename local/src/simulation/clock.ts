import type { Duration } from "./duration.js";

/**
 * How time passes for Event Grid: retries, delivery timeouts, times to live and expirations follow
 * this clock. Tokens do not, because the service that checks them has its own clock.
 *
 * - `"real"`: as fast as the wall clock
 * - `{ scale: 60 }`: sixty times as fast, so that a wait of a minute takes a second
 * - `"stepped"`: moves only when a test calls `advance` or `drain`
 */
export type ClockChoice = "real" | "stepped" | { readonly scale: number };

/** The time of the local Event Grid. */
export interface Clock {
  /** Milliseconds since 1970 on this clock. */
  now(): number;

  /**
   * Moves a stepped clock forward and fires due timers in order. Waits for responses in flight
   * before each step, so that nothing times out that would have been answered.
   *
   * @throws LocalCloudError `ERR_CLOCK_NOT_STEPPED` on any other clock
   */
  advance(duration: Duration): Promise<void>;
}

export type CancelTimer = () => void;

/** The clock as Event Grid itself uses it. */
export interface TimerClock extends Clock {
  /**
   * @param delayMs milliseconds on this clock
   * @param atLeastRealMs real time that a scaled clock always leaves, for work outside the cloud
   */
  schedule(delayMs: number, callback: () => void, atLeastRealMs?: number): CancelTimer;

  /**
   * Waits for responses in flight, then jumps to the next timer and fires it if `isNeeded` still holds.
   * `false` on a clock that moves by itself.
   */
  step(isNeeded: () => boolean): Promise<boolean>;

  /** Cancels all timers. */
  clear(): void;
}
