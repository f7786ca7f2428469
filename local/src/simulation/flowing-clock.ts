import { LocalCloudError } from "../base/index.js";
import type { CancelTimer, TimerClock } from "./clock.js";

/** Node fires a longer timer at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** A clock that moves by itself, `scale` times as fast as the wall clock. */
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
      Math.min(Math.ceil(realMs), MAX_TIMEOUT_MS),
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
      'This clock moves by itself. Start the cloud with clock: "stepped" to advance it.',
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
