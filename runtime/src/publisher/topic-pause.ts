import type { Clock } from "../clock.js";
import type { RequestFailure } from "./failure.js";

/** The time that the topic asked to be left alone for: by all requests, not only the refused. */
export class TopicPause {
  readonly #clock: Clock;
  readonly #longestMs: number;
  #until = 0;
  #reason: RequestFailure | undefined;
  #stopWaiting: (() => void) | undefined;

  /** @param longestMs the topic may ask for more, but is asked again then */
  constructor(clock: Clock, longestMs: number) {
    this.#clock = clock;
    this.#longestMs = longestMs;
  }

  /** What the topic said; `undefined` when it may be spoken to. */
  reason(): RequestFailure | undefined {
    const left = this.#until - this.#clock.now();
    // More than was ever left: the machine's clock was set back.
    if (left <= 0 || left > this.#longestMs) {
      this.#until = 0;
      this.#reason = undefined;
    }
    return this.#reason;
  }

  /** Heeds `Retry-After` of the answers that speak of the topic rather than of a request. */
  heed(failure: RequestFailure): void {
    const { status, retryAfterMs } = failure;
    if (retryAfterMs === undefined || (status !== 429 && status !== 503)) return;
    const until = this.#clock.now() + Math.min(retryAfterMs, this.#longestMs);
    if (until <= this.#until) return;
    this.#until = until;
    this.#reason = failure;
  }

  /** Calls back when it may be over. */
  wait(callback: () => void): void {
    this.#stopWaiting ??= this.#clock.schedule(this.#until - this.#clock.now(), () => {
      this.#stopWaiting = undefined;
      callback();
    });
  }

  /** Nobody waits any more: then no timer is worth keeping the process for. */
  stopWaiting(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
  }
}
