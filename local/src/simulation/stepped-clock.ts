import type { CancelTimer, TimerClock } from "./clock.js";
import { type Duration, inMilliseconds } from "./duration.js";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that moves only by `advance` and `step`. */
export class SteppedClock implements TimerClock {
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
    const timer = { at: this.#now + Math.max(0, delayMs), callback };
    this.#timers.splice(this.#indexAfter(timer.at), 0, timer);
    return () => {
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
    for (const timer of due) timer.callback();
    return true;
  }

  /** Index after the timers due at `at` or earlier. */
  #indexAfter(at: number): number {
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#timers[middle]?.at ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
