/**
 * Waits for a promise, but no longer than `timeoutMs`.
 *
 * @returns whether it resolved in time
 * @throws the promise's own error if it rejects in time
 */
export async function settlesWithin(timeoutMs: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  try {
    return await Promise.race([work.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
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
): Promise<T> {
  const attempt = new AbortController();
  try {
    const working = work(attempt.signal);
    if (await settlesWithin(timeoutMs, working)) return await working;
    throw new DOMException(`not done within ${timeoutMs} ms`, "TimeoutError");
  } finally {
    attempt.abort();
  }
}
