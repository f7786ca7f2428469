import type { Linked } from "../../collections.js";
import type { Attempt } from "../../transport/index.js";
import { PublishError, type PublishFailure } from "../errors.js";
import type { EncodedEvent } from "../event/index.js";
import type { CreateSpan } from "../telemetry.js";

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

  /** Whether the outcome is open and the caller waits for it. */
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
    return new PublishError(
      failure,
      unpublished,
      accepted.map(({ event }) => event.id),
    );
  }
}
