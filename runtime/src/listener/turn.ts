import { setImmediate } from "node:timers/promises";

/** Longer than this, work that waits for nothing does not keep the process from everything else. */
const LONGEST_TURN_MS = 20;

/** One piece of work's share of the process: timers and other requests have theirs between turns. */
export class Turn {
  #beganAt = performance.now();
  #ending: Promise<void> | undefined;

  get isOver(): boolean {
    return performance.now() - this.#beganAt > LONGEST_TURN_MS;
  }

  /** Resolves in the next turn, for all who wait for it. */
  end(): Promise<void> {
    this.#ending ??= setImmediate().then(() => {
      this.#ending = undefined;
      this.#beganAt = performance.now();
    });
    return this.#ending;
  }
}
