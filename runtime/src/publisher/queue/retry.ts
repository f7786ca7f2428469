import type { RequestFailure } from "../transport/index.js";

/** How failed requests are sent again. */
export interface RetrySchedule {
  /** In all. */
  readonly attempts: number;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/**
 * Decides what follows a failed attempt.
 *
 * The delay doubles with every attempt, and half of it is random, so that publishers that failed
 * together do not come back together. It is never shorter than the topic asks for.
 *
 * @param failed attempts so far, 1 or more
 * @param random from 0 to below 1
 * @returns the delay before the next attempt; `undefined` when there is none
 */
export function retryDelay(
  failure: RequestFailure,
  failed: number,
  { attempts, firstDelayMs, maxDelayMs }: RetrySchedule,
  random: number,
): number | undefined {
  if (!failure.retryable || failed >= attempts) return undefined;
  const full = Math.min(maxDelayMs, firstDelayMs * 2 ** (failed - 1));
  return Math.max(failure.retryAfterMs ?? 0, Math.round(full / 2 + (full / 2) * random));
}

/** Whether splitting a batch isolates the call that the topic objects to: bad events, or too many. */
export function isCausedByEvents({ status }: RequestFailure): boolean {
  return status === 400 || status === 413;
}

/** Adds the number of attempts to a failure's message if there was more than one. */
export function afterAttempts(
  failure: RequestFailure,
  attempts: number,
  more = "",
): RequestFailure {
  if (attempts === 1 && more === "") return failure;
  const counted = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  return { ...failure, message: `${failure.message} (after ${counted}${more})` };
}
