import type { Clock } from "../../time.js";
import { MAX_RETRY_AFTER_MS } from "../../transport/index.js";
import type { AttemptFailure } from "./attempt-failure.js";

/**
 * Holds back all requests for as long as the topic asks for. `Retry-After` of a 429 or 503 concerns
 * the caller and not only the request, so it applies to everything that the publisher sends.
 */
export class Throttle {
  #until = 0;
  #reason: AttemptFailure | undefined;
  #isWaiting = false;

  constructor(private readonly clock: Clock) {}

  /** The response that asked to wait; `undefined` when requests may be sent. */
  get reason(): AttemptFailure | undefined {
    const remaining = this.#until - this.clock.now();
    // More than the maximum: the machine's clock was set back.
    if (remaining <= 0 || remaining > MAX_RETRY_AFTER_MS) {
      this.#until = 0;
      this.#reason = undefined;
    }
    return this.#reason;
  }

  /** Why a call with this deadline cannot succeed; `undefined` when it can wait. */
  refusal(deadline: number): AttemptFailure | undefined {
    const { reason } = this;
    if (reason === undefined || this.#until < deadline) return undefined;
    const seconds = Math.ceil((this.#until - this.clock.now()) / 1000);
    const message = `${reason.message} (the topic asks to wait another ${seconds} s, which is longer than the call may take)`;
    return { ...reason, message };
  }

  /** @returns whether the response asks to wait longer than is known */
  extend(failure: AttemptFailure): boolean {
    const { status, retryAfterMs } = failure;
    if (retryAfterMs === undefined || (status !== 429 && status !== 503)) return false;
    const until = this.clock.now() + Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
    if (until <= this.#until) return false;
    this.#until = until;
    this.#reason = failure;
    return true;
  }

  /** Calls back when requests may be sent again. */
  wait(callback: () => void): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const resume = () => {
      this.#isWaiting = false;
      callback();
    };
    // A call that still waits keeps the process alive by its own timer.
    this.clock.schedule(this.#until - this.clock.now(), resume, false);
  }
}
