import type { Timer } from "../../time.js";

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
    private readonly timer: Timer,
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

  /** Whether requests have been refused for that long without a single place being released. */
  isStuckFor(durationMs: number): boolean {
    return this.#refusedAtMs !== undefined && this.timer.now() - this.#refusedAtMs > durationMs;
  }

  #refuse(): false {
    this.#refusedAtMs ??= this.timer.now();
    return false;
  }
}
