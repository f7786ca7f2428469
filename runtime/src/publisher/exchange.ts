/**
 * One request under way, and the way to end it.
 *
 * An AbortSignal would do the same for a tenth of the time that a request takes; it is made only
 * where somebody else's code asks for one.
 */
export class Exchange {
  #isGivenUp = false;
  #end: ((reason: Error) => void) | undefined;

  /** Ends what goes on, and whatever is begun later. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.#end?.(new Error("the request was given up"));
  }

  /** Says how to end what goes on from now on; it replaces what was said before. */
  endedBy(end: (reason: Error) => void): void {
    this.#end = end;
    if (this.#isGivenUp) this.giveUp();
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
