/**
 * How far a listener has gone towards its end: serving; leaving, when it says that it is not ready
 * but still takes deliveries; refusing, when new ones get 503 and those in flight are finished.
 */
export class Draining {
  #phase: "serving" | "leaving" | "refusing" = "serving";
  #inFlight = 0;
  #drained: Promise<void> | undefined;
  #whenIdle: (() => void) | undefined;
  #endLag: (() => void) | undefined;

  get isServing(): boolean {
    return this.#phase === "serving";
  }

  get isRefusing(): boolean {
    return this.#phase === "refusing";
  }

  enter(): void {
    this.#inFlight += 1;
  }

  leave(): void {
    this.#inFlight -= 1;
    if (this.#inFlight === 0) this.#whenIdle?.();
  }

  /**
   * Resolves when nothing is in flight any more. Calling it again changes nothing, except that
   * without a lag it ends the lag of the call before.
   *
   * @param lagMs how long deliveries are still taken
   * @param patienceMs how long those in flight are waited for afterwards
   */
  drain(lagMs: number, patienceMs: number): Promise<void> {
    this.#drained ??= this.#drain(lagMs, patienceMs);
    if (lagMs === 0) this.#endLag?.();
    return this.#drained;
  }

  async #drain(lagMs: number, patienceMs: number): Promise<void> {
    this.#phase = "leaving";
    if (lagMs > 0) await this.#lag(lagMs);
    this.#phase = "refusing";
    if (this.#inFlight === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patienceMs);
      this.#whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #lag(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#endLag = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
