import { type Linked, LinkedList } from "../../collections.js";
import type { Timer } from "../../time.js";

/**
 * Watches the deadlines of all deliveries with one timer. All have the same duration, so the oldest
 * is always the next to expire.
 */
export class Deadlines<Item extends Linked<Item> & { readonly arrivedAtMs: number }> {
  readonly #items = new LinkedList<Item>();
  #isWatching = false;

  constructor(
    private readonly durationMs: number,
    private readonly timer: Timer,
    private readonly onExpired: (item: Item) => void,
  ) {}

  add(item: Item): void {
    this.#items.add(item);
    if (!this.#isWatching) this.#watch(this.durationMs);
  }

  remove(item: Item): void {
    this.#items.remove(item);
  }

  #watch(delayMs: number): void {
    this.#isWatching = true;
    this.timer.schedule(delayMs, () => this.#expire());
  }

  #expire(): void {
    this.#isWatching = false;
    const now = this.timer.now();
    let oldest = this.#items.first;
    while (oldest !== undefined) {
      const leftMs = oldest.arrivedAtMs + this.durationMs - now;
      if (leftMs > 0) {
        this.#watch(Math.ceil(leftMs));
        return;
      }
      this.#items.remove(oldest);
      this.onExpired(oldest);
      oldest = this.#items.first;
    }
  }
}
