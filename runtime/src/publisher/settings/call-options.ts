import { durationMs, group, objectWith, problemsOf } from "../../validation/index.js";
import type { PublishFailure } from "../errors.js";
import type { PublisherSettings } from "./publisher-settings.js";

/** Options of one `create` call. */
export interface CreateOptions {
  /** Aborts the call. Events that were sent already may be accepted nonetheless. */
  readonly signal?: AbortSignal | undefined;
  /** Time for this call, in milliseconds. @default the publisher's `timeoutMs` */
  readonly timeoutMs?: number | undefined;
}

const callOptions = group<CreateOptions>({
  timeoutMs: durationMs,
  signal: objectWith("must be an AbortSignal", "addEventListener", "removeEventListener"),
});

/** Why a call cannot be made with these options; `undefined` when it can. */
export function checkCallOptions(options: CreateOptions | undefined): PublishFailure | undefined {
  if (options === undefined) return undefined;
  const problems = problemsOf(callOptions, "", options);
  if (problems.length > 0) {
    const message = `nothing was sent: ${problems.map((problem) => problem.message).join("; ")}`;
    return { code: "ERR_PUBLISH_OPTIONS", message, retryable: false };
  }
  return options.signal?.aborted ? abortFailure(options.signal) : undefined;
}

/** The call was made after `close`. */
export const CLOSED_FAILURE: PublishFailure = {
  code: "ERR_PUBLISH_CLOSED",
  message: "the publisher is closed: create was called after close",
  retryable: false,
};

export function abortFailure(signal: AbortSignal): PublishFailure {
  const message = "the call's signal was aborted before the topic accepted all events";
  return { code: "ERR_PUBLISH_ABORTED", message, retryable: false, cause: signal.reason };
}

/** @param last why the events were not accepted yet, if that is known */
export function timeoutFailure(
  timeoutMs: number,
  last: PublishFailure | undefined,
): PublishFailure {
  const why = last === undefined ? "" : ` (last failure: ${last.message})`;
  const message = `the topic did not accept all events within ${timeoutMs} ms${why}`;
  return { code: "ERR_PUBLISH_TIMEOUT", message, retryable: true };
}

export function queueFullFailure({
  bufferedEvents,
  bufferedBytes,
}: PublisherSettings["limits"]): PublishFailure {
  const message = `the queue is full (${bufferedEvents} events, ${bufferedBytes} bytes): events are created faster than the topic accepts them`;
  return { code: "ERR_PUBLISH_QUEUE_FULL", message, retryable: true };
}
