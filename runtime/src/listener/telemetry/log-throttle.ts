/** Time in which one line per reason is logged. */
const INTERVAL_MS = 10_000;

/**
 * Limits log lines that anonymous callers can cause, so that they do not decide how much is logged.
 */
export class LogThrottle<Reason extends string> {
  readonly #now: () => number;
  readonly #reasons = new Map<Reason, { loggedAt: number; unlogged: number }>();

  /** @param now the time in milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Call it for every line. Writes the first line for a reason in every 10 seconds; the next one
   * says in `unlogged` how many were left out.
   */
  write(reason: Reason, write: (counted: { readonly unlogged: number }) => void): void {
    const now = this.#now();
    const last = this.#reasons.get(reason);
    // A clock that was set back must not silence the log.
    if (last !== undefined && now >= last.loggedAt && now - last.loggedAt < INTERVAL_MS) {
      last.unlogged += 1;
      return;
    }
    this.#reasons.set(reason, { loggedAt: now, unlogged: 0 });
    write({ unlogged: last?.unlogged ?? 0 });
  }
}
