/** The state of an attempt. Before it waits for the response, nothing has been sent. */
export type Stage = "credential" | "connection" | "response";

/** One attempt to have the events of a few calls accepted: its state, and how to end it. */
export class Attempt {
  stage: Stage = "credential";
  /** Calls that wait for the outcome. */
  #calls: number;
  #cancelled: Error | undefined;
  #onCancel: (reason: Error) => void = () => {};

  constructor(calls: number) {
    this.#calls = calls;
  }

  /**
   * A call no longer waits for the outcome. Without other calls, the attempt is cancelled.
   *
   * @returns whether the events of the call may reach the topic nonetheless
   */
  leave(): boolean {
    this.#calls -= 1;
    const isAlone = this.#calls === 0;
    if (isAlone) this.cancel();
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
