import type { Clock } from "../../clock.js";

/**
 * Shares one call for a key or token among all requests that wait for it.
 *
 * A call that has not ended after `timeoutMs` counts as hung: the next request makes another, and the
 * result of the hung one is not kept.
 */
export class SingleFlight<T> {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  #current:
    | { readonly promise: Promise<T>; readonly key: string; readonly since: number }
    | undefined;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * @param key calls with different keys are not shared
   * @param keep receives the result, unless another call has been started meanwhile
   */
  run(call: () => Promise<T>, keep: (result: T) => void, key = ""): Promise<T> {
    const current = this.#current;
    const now = this.#clock.now();
    if (current?.key === key && now - current.since < this.#timeoutMs) return current.promise;
    const promise = call().then(
      (result) => {
        if (this.#leave(promise)) keep(result);
        return result;
      },
      (error) => {
        this.#leave(promise);
        throw error;
      },
    );
    this.#current = { promise, key, since: now };
    return promise;
  }

  #leave(promise: Promise<T>): boolean {
    const isCurrent = this.#current?.promise === promise;
    if (isCurrent) this.#current = undefined;
    return isCurrent;
  }
}
