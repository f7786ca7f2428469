/** Something that must be over at a certain time. */
export interface Expiring {
  /** By `performance.now()`. */
  readonly arrivedAt: number;
  expire(): void;
}

/**
 * Watches the deadlines of all deliveries with a single timer: all have the same time, so that the
 * oldest is always the next to expire.
 */
export class Deadlines {
  readonly #timeMs: number;
  readonly #running = new Set<Expiring>();
  #timer: NodeJS.Timeout | undefined;

  constructor(timeMs: number) {
    this.#timeMs = timeMs;
  }

  add(one: Expiring): void {
    this.#running.add(one);
    if (this.#timer === undefined) this.#watch(this.#timeMs);
  }

  remove(one: Expiring): void {
    this.#running.delete(one);
  }

  #watch(delayMs: number): void {
    this.#timer = setTimeout(() => this.#expire(), delayMs);
    this.#timer.unref();
  }

  #expire(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const one of this.#running) {
      const leftMs = one.arrivedAt + this.#timeMs - now;
      if (leftMs > 0) {
        this.#watch(Math.ceil(leftMs));
        return;
      }
      this.#running.delete(one);
      one.expire();
    }
  }
}
