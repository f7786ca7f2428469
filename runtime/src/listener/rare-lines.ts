/** One line in this time for each reason. */
const INTERVAL_MS = 10_000;

/** Says which lines of the log are due: who is not let in must not decide how much is logged. */
export class RareLines<Reason extends string> {
  readonly #clock: () => number;
  readonly #reasons = new Map<Reason, { loggedAt: number; unlogged: number }>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /**
   * To be called whenever there is a reason for a line.
   *
   * @returns how many lines of that reason were left out since the last one; `undefined` when this
   * one is to be left out, too
   */
  due(reason: Reason): number | undefined {
    const now = this.#clock();
    const last = this.#reasons.get(reason);
    // A clock that was set back is no reason to be silent.
    if (last !== undefined && now >= last.loggedAt && now - last.loggedAt < INTERVAL_MS) {
      last.unlogged += 1;
      return undefined;
    }
    this.#reasons.set(reason, { loggedAt: now, unlogged: 0 });
    return last?.unlogged ?? 0;
  }
}
