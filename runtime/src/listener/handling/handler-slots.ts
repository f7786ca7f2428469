/**
 * Limits how many handlers run at the same time.
 *
 * A handler that ignores its signal keeps its slot until it ends: starting another one would only
 * hide the leak until the process runs out of memory.
 */
export class HandlerSlots {
  readonly #size: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;
  #progressAt = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** Takes a slot, and returns a promise only if it has to wait for one. First come, first served. */
  take(): Promise<void> | undefined {
    if (this.#taken < this.#size) {
      this.#taken += 1;
      if (this.#taken === this.#size) this.#progressAt = performance.now();
      return undefined;
    }
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
      this.#progressAt = performance.now();
      next();
    }
  }

  /** Whether all slots have been taken for that long without a single handler ending. */
  isStuckFor(milliseconds: number): boolean {
    return this.#taken === this.#size && performance.now() - this.#progressAt > milliseconds;
  }
}
