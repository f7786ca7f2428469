import { Fifo } from "../collections.js";
import { backoffMs, type Clock } from "../time.js";
import { MAX_RETRY_AFTER_MS, RequestFailure, type ServiceClient } from "../transport/index.js";
import { SECOND_MS } from "../units.js";
import { type Batch, type Call, nextBatch, type PendingEvent } from "./call.js";
import type { PublishFailure } from "./errors.js";
import type { PublisherSettings } from "./settings.js";
import type { PublisherTelemetry } from "./telemetry.js";

const CONTENT_TYPE = "application/cloudevents-batch+json; charset=utf-8";

/**
 * Decides which events are sent in which request, and when.
 *
 * Events of one turn of the event loop are sent together at its end. While as many requests as
 * allowed are in flight, events wait and share the next one: batches grow with the load, and an idle
 * publisher delays nothing.
 */
export class BatchSender {
  readonly #settings: PublisherSettings;
  readonly #request;
  /** Events that wait to be sent, first come, first served. */
  readonly #queue = new Fifo<PendingEvent>();
  /** Batches that are sent before the queue: retries, and halves of a batch that was split. */
  readonly #ready = new Fifo<Batch>();
  #inFlight = 0;
  #isScheduled = false;

  constructor(
    settings: PublisherSettings,
    private readonly client: ServiceClient,
    private readonly telemetry: PublisherTelemetry,
    private readonly throttle: Throttle,
  ) {
    this.#settings = settings;
    this.#request = { contentType: CONTENT_TYPE, timeoutMs: settings.attemptTimeoutMs };
  }

  submit(call: Call): void {
    const refusal = this.throttle.refusal(call.deadline);
    if (refusal !== undefined) {
      call.giveUp(refusal);
      return;
    }
    for (const event of call.events) this.#queue.push(event);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#sendNext();
    });
  }

  #sendNext(): void {
    while (this.#inFlight < this.#settings.limits.concurrentRequests && !this.#isThrottled()) {
      const batch = this.#ready.shift() ?? nextBatch(this.#queue, this.#settings);
      if (batch === undefined) return;
      if (batch.live().length > 0) void this.#send(batch);
    }
  }

  #isThrottled(): boolean {
    if (this.throttle.reason === undefined) return false;
    this.throttle.wait(() => this.#sendNext());
    return true;
  }

  async #send(batch: Batch): Promise<void> {
    this.#inFlight += 1;
    const attempt = batch.begin();
    const result = await this.client.post(attempt, this.#request, (post) => {
      const content = batch.content();
      return this.telemetry.request(content, () => post(content.body));
    });
    this.#inFlight -= 1;
    if (result instanceof RequestFailure) {
      const failure = attemptFailure(result, attempt.stage === "response");
      batch.end(failure.ambiguous);
      this.#failed(batch, failure);
    } else {
      for (const event of batch.live()) event.call.accept(event);
    }
    this.#schedule();
  }

  #failed(batch: Batch, failure: AttemptFailure): void {
    const halves = isCausedByEvents(failure) ? batch.split() : undefined;
    if (halves !== undefined) {
      for (const half of halves) this.#ready.push(half);
      return;
    }
    batch.failures += 1;
    for (const event of batch.live()) event.call.lastFailure = failure;
    if (this.throttle.extend(failure)) {
      this.#refuseThrottled(this.#queue);
      for (const ready of this.#ready) this.#refuseThrottled(ready.live());
    }

    const { clock, random, retry } = this.#settings;
    if (!failure.retryable || batch.failures >= retry.attempts) {
      fail(batch.live(), afterAttempts(failure, batch.failures));
      return;
    }
    const delay = backoffMs(batch.failures, retry, random(), failure.retryAfterMs);
    const due = clock.now() + delay;
    fail(
      batch.live().filter(({ call }) => call.deadline <= due),
      afterAttempts(failure, batch.failures, ", and time runs out before the next"),
    );
    const again = () => {
      this.#refuseThrottled(batch.live());
      this.#ready.push(batch);
      this.#sendNext();
    };
    // A call that still waits keeps the process alive by its own timer.
    if (batch.live().length > 0) clock.schedule(delay, again, false);
  }

  /** Fails events that the topic's wait leaves no time for. */
  #refuseThrottled(events: Iterable<PendingEvent>): void {
    for (const event of events) {
      const refusal = this.throttle.refusal(event.call.deadline);
      if (refusal !== undefined) event.call.fail(event, refusal);
    }
  }
}

function fail(events: readonly PendingEvent[], failure: AttemptFailure): void {
  for (const event of events) event.call.fail(event, failure);
}

/** Reports whether splitting a batch isolates the call that the topic objects to: bad events, or too many. */
function isCausedByEvents({ status }: AttemptFailure): boolean {
  return status === 400 || status === 413;
}

/** Adds the number of attempts to a failure's message if there was more than one. */
function afterAttempts(failure: AttemptFailure, attempts: number, more = ""): AttemptFailure {
  if (attempts === 1 && more === "") return failure;
  const counted = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  return { ...failure, message: `${failure.message} (after ${counted}${more})` };
}

/**
 * Holds back all requests for as long as the topic asks for. `Retry-After` of a 429 or 503 concerns
 * the caller and not only the request, so it applies to everything that the publisher sends.
 */
export class Throttle {
  #until = 0;
  #reason: AttemptFailure | undefined;
  #isWaiting = false;

  constructor(private readonly clock: Clock) {}

  /** The response that asked to wait; `undefined` when requests may be sent. */
  get reason(): AttemptFailure | undefined {
    const remaining = this.#until - this.clock.now();
    // More than the maximum: the machine's clock was set back.
    if (remaining <= 0 || remaining > MAX_RETRY_AFTER_MS) {
      this.#until = 0;
      this.#reason = undefined;
    }
    return this.#reason;
  }

  /** Why a call with this deadline cannot succeed; `undefined` when it can wait. */
  refusal(deadline: number): AttemptFailure | undefined {
    const { reason } = this;
    if (reason === undefined || this.#until < deadline) return undefined;
    const seconds = Math.ceil((this.#until - this.clock.now()) / SECOND_MS);
    const message = `${reason.message} (the topic asks to wait another ${seconds} s, which is longer than the call may take)`;
    return { ...reason, message };
  }

  /** @returns whether the response asks to wait longer than is known */
  extend(failure: AttemptFailure): boolean {
    const { status, retryAfterMs } = failure;
    if (retryAfterMs === undefined || (status !== 429 && status !== 503)) return false;
    const until = this.clock.now() + Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
    if (until <= this.#until) return false;
    this.#until = until;
    this.#reason = failure;
    return true;
  }

  /** Calls back when requests may be sent again. */
  wait(callback: () => void): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const resume = () => {
      this.#isWaiting = false;
      callback();
    };
    // A call that still waits keeps the process alive by its own timer.
    this.clock.schedule(this.#until - this.clock.now(), resume, false);
  }
}

/** Why the topic has not confirmed the events of an attempt. */
export interface AttemptFailure extends PublishFailure {
  /** Whether the topic may have accepted the events nonetheless. */
  readonly ambiguous: boolean;
  /** How long the topic asks to wait. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * Returns the failure that a failed request means for its events.
 *
 * @param wasSent whether the request was sent
 */
function attemptFailure(failure: RequestFailure, wasSent: boolean): AttemptFailure {
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
