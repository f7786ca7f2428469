import { type Linked, LinkedList } from "../../linked-list.js";

/** An item with a deadline. */
export interface Expiring extends Linked<Expiring> {
  /** By `performance.now()`. */
  readonly arrivedAt: number;
  expire(): void;
}

/**
 * Watches the deadlines of all deliveries with one timer. All have the same duration, so the oldest
 * is always the next to expire.
 */
export class Deadlines {
  readonly #timeMs: number;
  readonly #running = new LinkedList<Expiring>();
  #timer: NodeJS.Timeout | undefined;

  constructor(timeMs: number) {
    this.#timeMs = timeMs;
  }

  add(one: Expiring): void {
    this.#running.add(one);
    if (this.#timer === undefined) this.#watch(this.#timeMs);
  }

  remove(one: Expiring): void {
    this.#running.remove(one);
  }

  #watch(delayMs: number): void {
    this.#timer = setTimeout(() => this.#expire(), delayMs);
    this.#timer.unref();
  }

  #expire(): void {
    this.#timer = undefined;
    const now = performance.now();
    let one = this.#running.first;
    while (one !== undefined) {
      const leftMs = one.arrivedAt + this.#timeMs - now;
      if (leftMs > 0) {
        this.#watch(Math.ceil(leftMs));
        return;
      }
      this.#running.remove(one);
      one.expire();
      one = this.#running.first;
    }
  }
}
