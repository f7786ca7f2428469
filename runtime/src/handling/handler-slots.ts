import type { Timer } from "../timer.js";

/**
 * Limits how many handlers run at the same time.
 *
 * A handler that ignores its signal keeps its slot until it ends: starting another one would only
 * hide the leak until the process runs out of memory.
 */
export class HandlerSlots {
  readonly #size: number;
  readonly #timer: Timer;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;
  #progressAtMs = 0;

  constructor(size: number, timer: Timer) {
    this.#size = size;
    this.#timer = timer;
  }

  /** Takes a slot if one is free. */
  tryTake(): boolean {
    if (this.#taken === this.#size) return false;
    this.#taken += 1;
    if (this.#taken === this.#size) this.#progressAtMs = this.#timer.now();
    return true;
  }

  /** Resolves when a slot has been taken, after all that waited before. */
  takeNext(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Releases a slot, for the caller that has waited longest. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#taken -= 1;
    } else {
      this.#progressAtMs = this.#timer.now();
      next();
    }
  }

  /** Whether all slots have been taken for that long without a single handler ending. */
  isStuckFor(durationMs: number): boolean {
    return this.#taken === this.#size && this.#timer.now() - this.#progressAtMs > durationMs;
  }
}
