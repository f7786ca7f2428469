/**
 * A source of time and of timeouts, which tests replace. Deadlines run in {@link monotonicClock}; what
 * must know the time of day, such as when a token expires, uses one of the others.
 */
export interface Clock {
  /** Milliseconds since a moment that each clock fixes. */
  now(): number;
  /**
   * Calls back once after `delayMs` milliseconds. The returned function cancels that.
   *
   * @param keepsProcess whether the process stays alive for it
   */
  schedule(delayMs: number, callback: () => void, keepsProcess?: boolean): () => void;
}

/** Time that nobody can set back; it does not say what time it is. */
export const monotonicClock: Clock = {
  now: () => performance.now(),
  schedule(delayMs, callback, keepsProcess = false) {
    const timer = setTimeout(callback, delayMs);
    if (!keepsProcess) timer.unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Waits for a promise, but no longer than `timeoutMs`.
 *
 * @returns whether it resolved in time
 * @throws the promise's own error if it rejects in time
 */
export async function settlesWithin(
  timeoutMs: number,
  work: PromiseLike<unknown>,
  timer: Clock = monotonicClock,
): Promise<boolean> {
  let cancel: (() => void) | undefined;
  const timeout = new Promise<false>((resolve) => {
    cancel = timer.schedule(timeoutMs, () => resolve(false), true);
  });
  try {
    return await Promise.race([work.then(() => true), timeout]);
  } finally {
    cancel?.();
  }
}

/**
 * Runs work with a signal that is aborted after `timeoutMs`. Stops waiting then, even if the work
 * ignores its signal.
 *
 * @throws the work's own error, or a `TimeoutError`
 */
export async function withTimeout<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  timer: Clock = monotonicClock,
): Promise<T> {
  const attempt = new AbortController();
  try {
    const working = work(attempt.signal);
    if (await settlesWithin(timeoutMs, working, timer)) return await working;
    throw new DOMException(`not done within ${timeoutMs} ms`, "TimeoutError");
  } finally {
    attempt.abort();
  }
}

/** The time of day: `now` is in milliseconds since 1970, and can be set back. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (delayMs, callback, keepsProcess = true) =>
    monotonicClock.schedule(delayMs, callback, keepsProcess),
};

/** The time of day for background work, which does not keep the process alive. */
export const backgroundClock: Clock = {
  now: () => Date.now(),
  schedule: monotonicClock.schedule,
};

/**
 * The wait after failures in succession. It doubles with each, and half of it is random, so that clients
 * that failed together do not come back together. It is never shorter than a service asks for.
 *
 * @param failures 1 or more
 * @param random from 0 to below 1
 */
export function backoffMs(
  failures: number,
  { firstDelayMs, maxDelayMs }: { readonly firstDelayMs: number; readonly maxDelayMs: number },
  random: number,
  retryAfterMs = 0,
): number {
  const fullMs = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(failures - 1, 30));
  return Math.max(retryAfterMs, Math.round(fullMs / 2 + (fullMs / 2) * random));
}
