/** How far a request has come: through the SDK's pipeline, connected, on the wire. */
export type ExchangeStage = "pipeline" | "connection" | "answer";

/**
 * One request under way, and the way to end it.
 *
 * An AbortSignal would do the same for a tenth of the time that a request takes; it is made only
 * where somebody else's code asks for one.
 */
export class Exchange {
  /** What it waits for. */
  waitsFor: ExchangeStage = "pipeline";
  /** Whether events are written into it: from then on all of them go, whoever leaves. */
  isWritten = false;
  /** Whether it is sent once more, by a policy, after it was sent without a clear answer. */
  isRepeated = false;
  readonly #ends: ((reason: Error) => void)[] = [];
  #givenUp: Error | undefined;

  /**
   * Whether the events of a caller who leaves now may be in the topic.
   *
   * @param isAlone whether the caller's leaving ends it
   */
  mayArrive(isAlone: boolean): boolean {
    return this.waitsFor === "answer" || this.isRepeated || (this.isWritten && !isAlone);
  }

  /** Ends all that goes on, and whatever is begun later. */
  giveUp(): void {
    this.#givenUp ??= new Error("the request was given up");
    for (const end of this.#ends.splice(0)) end(this.#givenUp);
  }

  /**
   * There is nothing left to end. Who still refers to it shall not keep requests and their answers
   * with it: the garbage collector would copy them, and what it has copied twice stays for long.
   */
  over(): void {
    this.#ends.length = 0;
  }

  /** Says how to end something of it. */
  endedBy(end: (reason: Error) => void): void {
    if (this.#givenUp === undefined) this.#ends.push(end);
    else end(this.#givenUp);
  }

  /** Waits for a promise no longer than until the exchange is given up. */
  during<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.endedBy(reject);
      promise.then(resolve, reject);
    });
  }

  /** A signal that is aborted when the exchange is given up. */
  signal(): AbortSignal {
    const controller = new AbortController();
    this.endedBy((reason) => controller.abort(reason));
    return controller.signal;
  }
}
