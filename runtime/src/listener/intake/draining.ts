import { settlesWithin, type Timer } from "../../time.js";

/**
 * How far a listener's shutdown has come: serving; leaving, when it reports that it is not ready but
 * still accepts deliveries; refusing, when new ones get 503 and those in flight are finished.
 */
export class Draining {
  #phase: "serving" | "leaving" | "refusing" = "serving";
  #inFlight = 0;
  #drained: Promise<void> | undefined;
  #whenIdle: (() => void) | undefined;
  #endLag: (() => void) | undefined;
  #isAborted = false;

  constructor(private readonly timer: Timer) {}

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
