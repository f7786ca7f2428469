/** How a failed request is repeated. */
export interface RetryLimits {
  readonly maxAttempts: number;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/**
 * How long to wait before the next attempt: twice as long each time, and half of it by chance, so
 * that publishers that failed together do not come back together.
 *
 * @param failures attempts that have failed, 1 or more
 * @param random from 0 to below 1
 * @param retryAfterMs what the topic asks for; never waited less
 */
export function retryDelay(
  failures: number,
  { firstDelayMs, maxDelayMs }: RetryLimits,
  random: number,
  retryAfterMs = 0,
): number {
  const full = Math.min(maxDelayMs, firstDelayMs * 2 ** (failures - 1));
  return Math.max(retryAfterMs, Math.round(full / 2 + (full / 2) * random));
}
