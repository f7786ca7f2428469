import { CloudEventGridError } from "../errors.js";
import type { ServiceErrorDetail } from "../transport/index.js";

/**
 * Why events were not published. Codes are stable across releases.
 *
 * - `ERR_PUBLISH_INVALID_EVENT`: an event is invalid; nothing of the call was sent
 * - `ERR_PUBLISH_REFUSED`: the topic refused the request, and sending it again would not help
 * - `ERR_PUBLISH_UNAUTHORIZED`: the topic refused the key, token or caller (401, 403)
 * - `ERR_PUBLISH_CREDENTIAL`: no key or token was available, or not in time
 * - `ERR_PUBLISH_UNAVAILABLE`: the topic could not be reached, is busy or throttles
 * - `ERR_PUBLISH_TIMEOUT`: the time for the call ran out
 * - `ERR_PUBLISH_ABORTED`: the call's signal was aborted
 * - `ERR_PUBLISH_QUEUE_FULL`: the queue is full, and `whenFull` is `"fail"`
 * - `ERR_PUBLISH_CLOSED`: the publisher is closed
 * - `ERR_PUBLISH_OPTIONS`: the options of the call are invalid
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

/** An event of a `create` call that the topic did not confirm. */
export interface UnpublishedEvent {
  /** Index of the event in the array passed to `create`; 0 for a single event. */
  readonly index: number;
  readonly id: string;
  readonly type: string;
  /**
   * Whether the topic may have the event nonetheless, because a connection broke or time ran out
   * after it was sent. Publish it again with the same `id`, so that receivers can recognise a
   * duplicate.
   */
  readonly mayHaveArrived: boolean;
}

/** The reason why events were not published. */
export type PublishFailure = Pick<PublishError, "code" | "message" | "retryable"> &
  Partial<Pick<PublishError, "status" | "serviceCode" | "details" | "requestId" | "cause">>;

/** Events were not published; `events` lists which. */
export class PublishError extends CloudEventGridError {
  readonly code: PublishErrorCode;
  /** HTTP status of the topic's response; `undefined` when there was none. */
  readonly status: number | undefined;
  /** The topic's error code, such as `BadRequest`. */
  readonly serviceCode: string | undefined;
  /** The details of the topic's error response. */
  readonly details: readonly ServiceErrorDetail[];
  /** `x-ms-request-id` of the topic's response, which Azure support asks for. */
  readonly requestId: string | undefined;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;

  constructor(
    failure: PublishFailure,
    /** The events of this call that the topic did not confirm. */
    readonly events: readonly UnpublishedEvent[],
    /** IDs of the events of this call that were accepted: a large array takes several requests. */
    readonly accepted: readonly string[] = [],
  ) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.code = failure.code;
    this.status = failure.status;
    this.serviceCode = failure.serviceCode;
    this.details = failure.details ?? [];
    this.requestId = failure.requestId;
    this.retryable = failure.retryable;
  }
}

/** A problem of an event. */
export interface EventProblem {
  /** Index of the event in the array passed to `create`; 0 for a single event. */
  readonly index: number;
  /** Where in the event: `subject`, `data.lines[2].price`. Empty when it concerns the whole event. */
  readonly path: string;
  /** A sentence for people. It never contains payload values. */
  readonly message: string;
}

/** At least one event of a `create` call is invalid. Nothing of the call was sent. */
export class InvalidEventError extends PublishError {
  readonly #problems: readonly EventProblem[];

  constructor(problems: readonly EventProblem[], events: readonly UnpublishedEvent[]) {
    super(
      { code: "ERR_PUBLISH_INVALID_EVENT", message: problemLines(problems), retryable: false },
      events,
    );
    this.#problems = problems;
  }

  /** Every problem of every event of the call; the message lists them, too. */
  get problems(): readonly EventProblem[] {
    return this.#problems;
  }
}

function problemLines(problems: readonly EventProblem[]): string {
  const [first] = problems;
  if (problems.length === 1 && first !== undefined) {
    return `the event at index ${first.index} is invalid, nothing was sent: ${first.message}`;
  }
  const lines = problems.map(({ index, message }) => `- event ${index}: ${message}`);
  return `nothing was sent because of ${problems.length} problems:\n${lines.join("\n")}`;
}
