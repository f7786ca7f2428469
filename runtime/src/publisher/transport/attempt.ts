/** The state of an attempt. Before it waits for the response, nothing has been sent. */
export type Stage = "credential" | "connection" | "response";

/** One attempt to have events accepted: its state, and how to end it. */
export class Attempt {
  stage: Stage = "credential";
  #cancelled: Error | undefined;
  #onCancel: (reason: Error) => void = () => {};

  /**
   * Whether events of a caller who leaves now may reach the topic.
   *
   * @param isAlone whether that cancels the attempt, because it has no other caller
   */
  mayArrive(isAlone: boolean): boolean {
    return this.stage === "response" || (this.stage === "connection" && !isAlone);
  }

  /** Ends the current wait of the attempt. */
  cancel(): void {
    if (this.#cancelled !== undefined) return;
    this.#cancelled = new Error("the request was cancelled");
    this.#onCancel(this.#cancelled);
  }

  /** Sets how to end the current wait. */
  onCancel(end: (reason: Error) => void): void {
    this.#onCancel = end;
    if (this.#cancelled !== undefined) end(this.#cancelled);
  }

  /** Waits for a promise, at most until the attempt is cancelled. */
  until<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.onCancel(reject);
      promise.then(resolve, reject);
    });
  }
}
