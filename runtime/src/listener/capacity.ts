/**
 * Bounds what is taken in at once, in requests and in bytes of their bodies.
 *
 * A place is taken after the caller was verified and before the body is read, so that anonymous
 * callers take none, and given back when the last handler of the request has ended.
 */
export class Capacity {
  readonly #maxRequests: number;
  readonly #maxBytes: number;
  #requests = 0;
  #bytes = 0;
  /** When somebody was first turned away since a place was last given back. */
  #refusedAt: number | undefined;

  constructor(maxRequests: number, maxBytes: number) {
    this.#maxRequests = maxRequests;
    this.#maxBytes = maxBytes;
  }

  /** Takes a place for a request whose body announces that many bytes, if there is one. */
  tryTake(bytes: number): boolean {
    if (this.#requests >= this.#maxRequests) return this.#refuse();
    if (!this.tryGrow(bytes)) return false;
    this.#requests += 1;
    return true;
  }

  /** Takes room for more bytes of a request that has a place, if there is any. */
  tryGrow(bytes: number): boolean {
    if (this.#bytes + bytes > this.#maxBytes) return this.#refuse();
    this.#bytes += bytes;
    return true;
  }

  /** Gives a request's place back, with all the bytes it took. */
  giveBack(bytes: number): void {
    this.#requests -= 1;
    this.#bytes -= bytes;
    this.#refusedAt = undefined;
  }

  /** Whether requests are turned away for that long, and not a single place was given back. */
  isStuckFor(milliseconds: number): boolean {
    return this.#refusedAt !== undefined && performance.now() - this.#refusedAt > milliseconds;
  }

  #refuse(): false {
    this.#refusedAt ??= performance.now();
    return false;
  }
}
