import type { AdmissionLimits } from "./admission.js";
import type { PublishFailure } from "./publish-error.js";
import type { CreateOptions } from "./publisher.js";

/** Why calls end that the topic did not decide. */
export const CLOSED: PublishFailure = {
  code: "ERR_PUBLISH_CLOSED",
  message: "the publisher is closed: create was called after close",
  retryable: false,
};

export function alreadyAborted(options?: CreateOptions): PublishFailure | undefined {
  const signal = options?.signal;
  return signal?.aborted ? aborted(signal) : undefined;
}

export function aborted(signal: AbortSignal): PublishFailure {
  const message = "the caller's signal was aborted before the topic accepted all events";
  return { code: "ERR_PUBLISH_ABORTED", message, retryable: false, cause: signal.reason };
}

/** @param last why they were not accepted, as far as that is known */
export function late(timeoutMs: number, last: PublishFailure | undefined): PublishFailure {
  const why = last === undefined ? "" : ` (last: ${last.message})`;
  const message = `the topic did not accept all events within ${timeoutMs} ms${why}`;
  return { code: "ERR_PUBLISH_TIMEOUT", message, retryable: true };
}

export function full({ maxEvents, maxBytes }: AdmissionLimits): PublishFailure {
  const message = `the queue is full (${maxEvents} events, ${maxBytes} bytes): the topic takes fewer events than are created`;
  return { code: "ERR_PUBLISH_QUEUE_FULL", message, retryable: true };
}
