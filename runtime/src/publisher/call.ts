/**
 * The way of a call from `create` to its outcome.
 *
 *     create ──► queued ──► in flight ──► accepted
 *                    ▲          │  │
 *                    │          │  └────► failed
 *                 retrying ◄────┘
 *
 * - *queued*: the events wait for one of the few requests at a time.
 * - *in flight*: a `Batch` of events is sent in one request, and shares its outcome. A batch that the
 *   topic refuses because of its content is split by calls, until the call at fault is alone.
 * - *retrying*: the batch waits for its next attempt, and is then sent before the queue.
 *
 * While a `Throttle` holds back all requests, events stay queued. A {@link Call} is settled when
 * all of its events are accepted or failed. It may be given up in every state, by its timeout or its
 * signal: its events are not sent any more, and a request without other callers is cancelled.
 */
import type { Fifo, Linked } from "../collections.js";
import { Attempt } from "../transport/index.js";
import { PublishError, type PublishFailure } from "./errors.js";
import type { EncodedEvent } from "./event/index.js";
import type { PublisherSettings } from "./settings.js";
import type { CreateSpan, RequestDetails } from "./telemetry.js";

/** One event of a `create` call, on its way to the topic. */
export class PendingEvent {
  /** Undefined while the outcome is open. */
  outcome: "accepted" | "failed" | undefined;
  /** The attempt that is sending it. */
  attempt: Attempt | undefined;
  /** Whether it was sent without a clear response. */
  mayHaveArrived = false;

  constructor(
    readonly call: Call,
    readonly index: number,
    readonly event: EncodedEvent,
  ) {}

  /** Reports whether the outcome is open and the caller waits for it. */
  get isOpen(): boolean {
    return this.outcome === undefined && !this.call.isSettled;
  }
}

/** One `create` call: settled when the outcome of all its events is known, or when it is given up. */
export class Call implements Linked<Call> {
  /** The neighbours in the list of open calls. */
  previous: Call | undefined;
  next: Call | undefined;
  readonly promise: Promise<string[]>;
  readonly events: readonly PendingEvent[];
  /** Size of its events. */
  readonly bytes: number;
  isSettled = false;
  /** Number of its events that were accepted. */
  accepted = 0;
  /** Why the last attempt with events of it failed. */
  lastFailure: PublishFailure | undefined;
  readonly #cleanups: (() => void)[] = [];
  #open: number;
  #failure: PublishFailure | undefined;
  #resolve: (ids: string[]) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  /**
   * @param deadline when its time runs out, in milliseconds since 1970
   * @param whenSettled called once, before the caller is, with the error if it failed
   */
  constructor(
    events: readonly EncodedEvent[],
    readonly deadline: number,
    private readonly whenSettled: (call: Call, error: unknown) => void,
    readonly span?: CreateSpan,
  ) {
    this.events = events.map((event, index) => new PendingEvent(this, index, event));
    this.bytes = events.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#open = events.length;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Calls back when the call is settled. */
  onSettled(cleanup: () => void): void {
    this.#cleanups.push(cleanup);
  }

  accept(event: PendingEvent): void {
    if (event.outcome !== undefined) return;
    event.outcome = "accepted";
    this.accepted += 1;
    this.#countOutcome();
  }

  /** The event will not be accepted; the call still waits for its other events. */
  fail(event: PendingEvent, failure: PublishFailure): void {
    if (event.outcome !== undefined) return;
    event.outcome = "failed";
    this.#failure ??= failure;
    this.#countOutcome();
  }

  /** Ends the call while the outcome of events is open. */
  giveUp(failure: PublishFailure): void {
    if (this.isSettled) return;
    this.#leaveAttempts();
    this.#settle(this.#error(failure));
  }

  /** Ends a call of which nothing was sent. */
  refuse(error: unknown): void {
    this.#settle(error);
  }

  /** Leaves the attempts that are sending its events; a large array takes several. */
  #leaveAttempts(): void {
    const mayArrive = new Map<Attempt, boolean>();
    for (const event of this.events) {
      const { attempt, outcome } = event;
      if (attempt === undefined || outcome !== undefined) continue;
      const known = mayArrive.get(attempt) ?? attempt.leave();
      mayArrive.set(attempt, known);
      if (known) event.mayHaveArrived = true;
    }
  }

  #countOutcome(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#settle(this.#failure && this.#error(this.#failure));
  }

  #settle(error: unknown): void {
    if (this.isSettled) return;
    this.isSettled = true;
    for (const cleanup of this.#cleanups) cleanup();
    this.whenSettled(this, error);
    if (error === undefined) this.#resolve(this.events.map(({ event }) => event.id));
    else this.#reject(error);
  }

  #error(failure: PublishFailure): PublishError {
    const accepted = this.events.filter(({ outcome }) => outcome === "accepted");
    const unpublished = this.events
      .filter(({ outcome }) => outcome !== "accepted")
      .map(({ index, event: { id, type }, mayHaveArrived }) => {
        return { index, id, type, mayHaveArrived };
      });
    const ids = accepted.map(({ event }) => event.id);
    return new PublishError(failure, unpublished, ids);
  }
}

/** The bracket that opens the array of a request. */
const OPENING_BYTES = 1;
/** The comma or the closing bracket after an event. */
const SEPARATOR_BYTES = 1;

/** Events of one or several calls that are sent in one request. */
export class Batch {
  /** Attempts that failed. */
  failures = 0;
  #events: readonly PendingEvent[];

  constructor(events: readonly PendingEvent[]) {
    this.#events = events;
  }

  /** The events whose outcome is open and whose callers still wait. */
  live(): readonly PendingEvent[] {
    if (!this.#events.every(({ isOpen }) => isOpen)) {
      this.#events = this.#events.filter(({ isOpen }) => isOpen);
    }
    return this.#events;
  }

  /** Begins an attempt to send the live events. A call that is given up leaves it. */
  begin(): Attempt {
    const attempt = new Attempt(this.#calls().length);
    for (const event of this.#events) event.attempt = attempt;
    return attempt;
  }

  /**
   * Ends an attempt that did not succeed.
   *
   * @param isAmbiguous whether the topic may have the events nonetheless
   */
  end(isAmbiguous: boolean): void {
    for (const event of this.#events) {
      event.attempt = undefined;
      if (isAmbiguous) event.mayHaveArrived = true;
    }
  }

  /** The request: its body is an array of the live events. */
  content(): RequestDetails & { readonly body: Buffer } {
    const events = this.live();
    const body = Buffer.from(`[${events.map(({ event }) => event.json).join(",")}]`);
    return {
      body,
      bytes: body.length,
      events: events.length,
      resends: this.failures,
      spans: this.#calls().flatMap(({ span }) => span ?? []),
    };
  }

  /** Splits the calls into two batches; `undefined` when there is only one call. */
  split(): readonly [Batch, Batch] | undefined {
    const calls = this.#calls();
    if (calls.length < 2) return undefined;
    const first = new Set(calls.slice(0, Math.ceil(calls.length / 2)));
    const events = this.live();
    return [
      new Batch(events.filter(({ call }) => first.has(call))),
      new Batch(events.filter(({ call }) => !first.has(call))),
    ];
  }

  /** The calls that still wait, in the order of their events. */
  #calls(): readonly Call[] {
    return [...new Set(this.live().map(({ call }) => call))];
  }
}

/** Takes the next events that fit into one request; `undefined` when no caller waits any more. */
export function nextBatch(
  queue: Fifo<PendingEvent>,
  { topic, limits }: Pick<PublisherSettings, "topic" | "limits">,
): Batch | undefined {
  const events: PendingEvent[] = [];
  let size = OPENING_BYTES;
  for (let event = queue.first; event !== undefined; event = queue.first) {
    if (events.length === limits.requestEvents) break;
    if (event.isOpen) {
      const bytes = event.event.bytes + SEPARATOR_BYTES;
      if (events.length > 0 && size + bytes > topic.requestBytes) break;
      events.push(event);
      size += bytes;
    }
    queue.shift();
  }
  return events.length === 0 ? undefined : new Batch(events);
}
