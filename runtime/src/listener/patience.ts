/**
 * Waits for some work, but not longer than that.
 *
 * @returns whether it was done in time
 * @throws what the work throws in time
 */
export async function isDoneWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([work.then(() => true), overdue]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Does work that a signal ends, and waits no longer for it than that, whether it heeds the signal
 * or not.
 *
 * @throws what the work throws in time, or else a `TimeoutError`
 */
export async function withinTime<T>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const attempt = new AbortController();
  try {
    const working = work(attempt.signal);
    if (await isDoneWithin(milliseconds, working)) return await working;
    throw new DOMException(`not done within ${milliseconds} ms`, "TimeoutError");
  } finally {
    attempt.abort();
  }
}
