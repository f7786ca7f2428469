import type { RequestFailure } from "../../transport/index.js";
import type { PublishFailure } from "../errors.js";

/** Why the topic has not confirmed the events of an attempt. */
export interface AttemptFailure extends PublishFailure {
  /** Whether the topic may have accepted the events nonetheless. */
  readonly ambiguous: boolean;
  /** How long the topic asks to wait. */
  readonly retryAfterMs?: number;
}

/**
 * What a failed request means for its events.
 *
 * @param wasSent whether the request was sent
 */
export function attemptFailure(failure: RequestFailure, wasSent: boolean): AttemptFailure {
  const { message, kind } = failure;
  const { isLate, isLasting, cause, ...response } = failure.details;
  const { status } = response;
  if (status === undefined) {
    const unavailable = isLate ? "ERR_PUBLISH_TIMEOUT" : "ERR_PUBLISH_UNAVAILABLE";
    return {
      code: kind === "credential" ? "ERR_PUBLISH_CREDENTIAL" : unavailable,
      message,
      retryable: !isLasting,
      ambiguous: wasSent,
      cause,
    };
  }
  const isUnauthorized = status === 401 || status === 403;
  const retryable = status === 408 || status === 429 || status >= 500;
  const otherwise = retryable ? "ERR_PUBLISH_UNAVAILABLE" : "ERR_PUBLISH_REFUSED";
  return {
    ...response,
    code: isUnauthorized ? "ERR_PUBLISH_UNAUTHORIZED" : otherwise,
    message,
    retryable,
    // The topic, or a gateway before it, can fail after accepting the events. A success other than
    // 200 is not documented, so nothing is known.
    ambiguous: status === 408 || status >= 500 || status < 300,
  };
}
