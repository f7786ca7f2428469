import { CloudEventGridError } from "../errors.js";

/**
 * Why events were not published; stable across releases.
 *
 * - `ERR_PUBLISH_INVALID_EVENT`: an event is malformed, and was never sent
 * - `ERR_PUBLISH_REFUSED`: the topic will not take it, however often it is sent
 * - `ERR_PUBLISH_UNAUTHORIZED`: the topic does not take events from this caller (401, 403)
 * - `ERR_PUBLISH_CREDENTIAL`: the key or token could not be had, or not within an attempt's time
 * - `ERR_PUBLISH_UNAVAILABLE`: the topic could not be reached, or said that it is busy
 * - `ERR_PUBLISH_TIMEOUT`: time ran out
 * - `ERR_PUBLISH_ABORTED`: the caller's signal was aborted
 * - `ERR_PUBLISH_QUEUE_FULL`: too much is waiting to be sent already
 * - `ERR_PUBLISH_CLOSED`: the publisher is closed
 * - `ERR_PUBLISH_OPTIONS`: the call's options cannot work
 */
export type PublishErrorCode =
  | "ERR_PUBLISH_INVALID_EVENT"
  | "ERR_PUBLISH_REFUSED"
  | "ERR_PUBLISH_UNAUTHORIZED"
  | "ERR_PUBLISH_CREDENTIAL"
  | "ERR_PUBLISH_UNAVAILABLE"
  | "ERR_PUBLISH_TIMEOUT"
  | "ERR_PUBLISH_ABORTED"
  | "ERR_PUBLISH_QUEUE_FULL"
  | "ERR_PUBLISH_CLOSED"
  | "ERR_PUBLISH_OPTIONS";

/** An event of a `create` call that was not accepted, as far as the publisher knows. */
export interface UnpublishedEvent {
  /** Its place in the array that `create` was given; 0 for a single event. */
  readonly index: number;
  readonly id: string;
  readonly type: string;
  /**
   * Whether it may be in the topic nonetheless: a connection broke or time ran out when it may have
   * been on the wire. Publishing it again with the same `id` lets receivers recognise the duplicate.
   */
  readonly mayHaveArrived: boolean;
}

/** One of the `details` in a topic's error. */
export interface ServiceErrorDetail {
  readonly code?: string;
  readonly message?: string;
}

/** What a {@link PublishError} tells besides its message. */
export interface PublishFailure {
  readonly code: PublishErrorCode;
  readonly message: string;
  /** HTTP status of the topic's answer; absent when there was none. */
  readonly status?: number;
  /** The topic's own word for it, such as `BadRequest`. */
  readonly serviceCode?: string;
  readonly details?: readonly ServiceErrorDetail[];
  /** What Azure's support asks for: `x-ms-request-id` of the topic's answer. */
  readonly requestId?: string;
  /** Whether the same call can succeed later. */
  readonly retryable: boolean;
  readonly cause?: unknown;
}

/** Events were not published; says which, and why. */
export class PublishError extends CloudEventGridError {
  readonly code: PublishErrorCode;
  /** HTTP status of the topic's answer; `undefined` when there was none. */
  readonly status: number | undefined;
  /** The topic's own word for it, such as `BadRequest`. */
  readonly serviceCode: string | undefined;
  /** The particulars that the topic gave. */
  readonly details: readonly ServiceErrorDetail[];
  /** What Azure's support asks for: `x-ms-request-id` of the topic's answer. */
  readonly requestId: string | undefined;
  /** Whether the same call can succeed later. */
  readonly retryable: boolean;
  /** The events of this call that were not accepted. */
  readonly events: readonly UnpublishedEvent[];
  /** IDs of the events of this call that were accepted; an array may be sent in parts. */
  readonly accepted: readonly string[];

  constructor(
    failure: PublishFailure,
    events: readonly UnpublishedEvent[],
    accepted: readonly string[] = [],
  ) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.code = failure.code;
    this.status = failure.status;
    this.serviceCode = failure.serviceCode;
    this.details = failure.details ?? [];
    this.requestId = failure.requestId;
    this.retryable = failure.retryable;
    this.events = events;
    this.accepted = accepted;
  }
}
