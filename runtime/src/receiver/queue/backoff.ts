/** How long to wait after failed requests. */
export interface Backoff {
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** However long the namespace asks to wait, it is tried again after this time. */
const MAX_RETRY_AFTER_MS = 5 * 60_000;

/**
 * The wait after requests that failed in succession, or came back too soon. It doubles, and half of it is random, so that
 * receivers that failed together do not come back together. It is never shorter than the namespace
 * asks for with `retryAfterMs`.
 */
export function backoffMs(
  retryAfterMs: number,
  failures: number,
  { firstDelayMs, maxDelayMs, random }: Backoff,
): number {
  const full = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(failures - 1, 30));
  const ownMs = Math.round(full / 2 + (full / 2) * random());
  return Math.max(Math.min(retryAfterMs, MAX_RETRY_AFTER_MS), ownMs);
}
