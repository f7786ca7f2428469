import { Bag, LocalCloudError } from "../base/index.js";
import { type Duration, inMilliseconds } from "./duration.js";

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

/** Node fires a longer timer at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** A clock that moves by itself, `scale` times as fast as the wall clock. */
class FlowingClock implements TimerClock {
  readonly #timers = new Bag<NodeJS.Timeout>();
  readonly #start: number;

  constructor(
    private readonly scale: number,
    private readonly wallNow: () => number,
  ) {
    this.#start = wallNow();
  }

  now(): number {
    return this.#start + (this.wallNow() - this.#start) * this.scale;
  }

  schedule(delayMs: number, callback: () => void, atLeastRealMs = 0): CancelTimer {
    const realMs = Math.max(0, delayMs / this.scale, Math.min(delayMs, atLeastRealMs));
    const timer = setTimeout(
      () => {
        remove();
        callback();
      },
      Math.min(Math.ceil(realMs), MAX_TIMEOUT_MS),
    );
    const remove = this.#timers.add(timer);
    return () => {
      clearTimeout(timer);
      remove();
    };
  }

  async advance(): Promise<void> {
    throw new LocalCloudError(
      "ERR_CLOCK_NOT_STEPPED",
      'This clock moves by itself. Start the cloud with clock: "stepped", or --clock stepped, to advance it.',
    );
  }

  async step(): Promise<boolean> {
    return false;
  }

  clear(): void {
    for (const timer of this.#timers.list()) clearTimeout(timer);
    this.#timers.clear();
  }
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
  isCancelled: boolean;
}

/** A clock that moves only by `advance` and `step`. */
class SteppedClock implements TimerClock {
  /** Sorted by due time. */
  #timers: Timer[] = [];
  #now: number;

  /** @param settle resolves when nothing in flight could still act at the present time */
  constructor(
    start: number,
    private readonly settle: () => Promise<void>,
  ) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  schedule(delayMs: number, callback: () => void): CancelTimer {
    const timer = { at: this.#now + Math.max(0, delayMs), callback, isCancelled: false };
    this.#timers.splice(this.#indexAfter(timer.at), 0, timer);
    return () => {
      timer.isCancelled = true;
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  async advance(duration: Duration): Promise<void> {
    const target = this.#now + inMilliseconds(duration);
    await this.settle();
    while (this.#fireDueBefore(target)) await this.settle();
    this.#now = Math.max(this.#now, target);
  }

  async step(isNeeded: () => boolean): Promise<boolean> {
    await this.settle();
    if (!isNeeded()) return true;
    this.#fireDueBefore(Number.POSITIVE_INFINITY);
    await this.settle();
    return true;
  }

  clear(): void {
    this.#timers = [];
  }

  /** Fires all timers of the next due time, unless that is after `limit`. */
  #fireDueBefore(limit: number): boolean {
    const at = this.#timers[0]?.at;
    if (at === undefined || at > limit) return false;
    this.#now = Math.max(this.#now, at);
    const due = this.#timers.splice(0, this.#indexAfter(at));
    // A timer may cancel another one that is due at the same time.
    for (const timer of due) if (!timer.isCancelled) timer.callback();
    return true;
  }

  /** Index after the timers due at `at` or earlier. */
  #indexAfter(at: number): number {
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (Number(this.#timers[middle]?.at) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

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
