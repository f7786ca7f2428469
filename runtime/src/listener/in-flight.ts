import { type Linked, LinkedList } from "../collections.js";
import { type Clock, settlesWithin } from "../time.js";

/**
 * The stage of a listener's shutdown: serving; leaving, when it reports that it is not ready but
 * still accepts deliveries; refusing, when new ones get 503 and those in flight are finished.
 */
export class Draining {
  #phase: "serving" | "leaving" | "refusing" = "serving";
  #inFlight = 0;
  #drained: Promise<void> | undefined;
  #whenIdle: (() => void) | undefined;
  #endLag: (() => void) | undefined;
  #isAborted = false;

  constructor(private readonly timer: Clock) {}

  get isServing(): boolean {
    return this.#phase === "serving";
  }

  get isRefusing(): boolean {
    return this.#phase === "refusing";
  }

  /** Call it for a request that the drain must wait for, and `leave` when it has ended. */
  enter(): void {
    this.#inFlight += 1;
  }

  leave(): void {
    this.#inFlight -= 1;
    if (this.#inFlight === 0) this.#whenIdle?.();
  }

  /**
   * Resolves when nothing is in flight any more. Further calls wait for the same drain; one without
   * a lag ends the lag of an earlier call.
   *
   * @param lagMs how long deliveries are still accepted
   * @param timeoutMs how long it then waits for those in flight
   */
  drain(lagMs: number, timeoutMs: number): Promise<void> {
    this.#drained ??= this.#drain(lagMs, timeoutMs);
    if (lagMs === 0) this.#endLag?.();
    return this.#drained;
  }

  /** Ends the drain at once, without waiting for deliveries in flight. */
  abort(): void {
    this.#isAborted = true;
    this.#endLag?.();
    this.#whenIdle?.();
  }

  async #drain(lagMs: number, timeoutMs: number): Promise<void> {
    this.#phase = "leaving";
    if (lagMs > 0) {
      const ended = new Promise<void>((end) => (this.#endLag = end));
      await settlesWithin(lagMs, ended, this.timer);
    }
    this.#phase = "refusing";
    if (this.#inFlight > 0 && !this.#isAborted) {
      const idle = new Promise<void>((end) => (this.#whenIdle = end));
      await settlesWithin(timeoutMs, idle, this.timer);
    }
  }
}

/**
 * Limits how many requests, and how many bytes of their bodies, are held at once.
 *
 * A request takes its place after the caller was verified and before the body is read, so anonymous
 * callers take none. It is released when the last handler of the request has ended.
 */
export class Capacity {
  #requests = 0;
  #bytes = 0;
  /** When a request was first refused since a place was last released. */
  #refusedAtMs: number | undefined;

  constructor(
    private readonly maxRequests: number,
    private readonly maxBytes: number,
    private readonly timer: Clock,
  ) {}

  /** Takes a place for a request whose body announces that many bytes. */
  tryTake(bytes: number): boolean {
    if (this.#requests >= this.maxRequests) return this.#refuse();
    if (!this.tryGrow(bytes)) return false;
    this.#requests += 1;
    return true;
  }

  /** Takes more bytes for a request that has a place. */
  tryGrow(bytes: number): boolean {
    if (this.#bytes + bytes > this.maxBytes) return this.#refuse();
    this.#bytes += bytes;
    return true;
  }

  /** Releases a request's place and all the bytes it took. */
  release(bytes: number): void {
    this.#requests -= 1;
    this.#bytes -= bytes;
    this.#refusedAtMs = undefined;
  }

  /** Reports whether requests have been refused for that long without a single place being released. */
  isStuckFor(durationMs: number): boolean {
    return this.#refusedAtMs !== undefined && this.timer.now() - this.#refusedAtMs > durationMs;
  }

  #refuse(): false {
    this.#refusedAtMs ??= this.timer.now();
    return false;
  }
}

/**
 * Watches the deadlines of all deliveries with one timer. All have the same duration, so the oldest
 * is always the next to expire.
 */
export class Deadlines<Item extends Linked<Item> & { readonly arrivedAtMs: number }> {
  readonly #items = new LinkedList<Item>();
  #isWatching = false;

  constructor(
    private readonly durationMs: number,
    private readonly timer: Clock,
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
