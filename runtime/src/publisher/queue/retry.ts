import { backoffMs } from "../../transport/index.js";
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
 * @param failed attempts so far, 1 or more
 * @param random from 0 to below 1
 * @returns the delay before the next attempt; `undefined` when there is none
 */
export function retryDelay(
  failure: RequestFailure,
  failed: number,
  schedule: RetrySchedule,
  random: number,
): number | undefined {
  if (!failure.retryable || failed >= schedule.attempts) return undefined;
  return backoffMs(failed, schedule, failure.retryAfterMs ?? 0, random);
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
