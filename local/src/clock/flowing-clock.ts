import { LocalCloudError } from "../errors.js";
import type { CancelTimer, TimerClock } from "./clock.js";

/** Node fires a longer timer at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** A clock that runs by itself, as fast as the wall's or `scale` times as fast. */
export class FlowingClock implements TimerClock {
  readonly #timers = new Set<NodeJS.Timeout>();
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
        this.#timers.delete(timer);
        callback();
      },
      Math.min(Math.ceil(realMs), LONGEST_TIMEOUT_MS),
    );
    this.#timers.add(timer);
    return () => {
      clearTimeout(timer);
      this.#timers.delete(timer);
    };
  }

  async advance(): Promise<void> {
    throw new LocalCloudError(
      "ERR_CLOCK_NOT_STEPPED",
      'This clock runs by itself; start the cloud with clock: "stepped" to advance it.',
    );
  }

  async step(): Promise<boolean> {
    return false;
  }

  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
