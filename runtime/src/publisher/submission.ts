import type { Linked } from "../linked-list.js";
import type { Batch } from "./batch.js";
import type { EncodedEvent } from "./encoded-event.js";
import { PublishError, type PublishFailure } from "./publish-error.js";
import type { CreateSpan } from "./tracing.js";

/** One event of a `create` call, on its way. */
export class PendingEvent {
  /** Undefined while its fate is open. */
  fate: "accepted" | "lost" | undefined;
  /** The request that holds it. */
  batch: Batch | undefined;
  /** Whether it was sent without a clear answer. */
  mayHaveArrived = false;

  constructor(
    readonly submission: Submission,
    readonly index: number,
    readonly event: EncodedEvent,
  ) {}

  /** Whether somebody waits to hear of its fate. */
  get isOpen(): boolean {
    return this.fate === undefined && !this.submission.settled;
  }
}

/** One `create` call: settled when the fate of all its events is known, or when it is given up. */
export class Submission implements Linked<Submission> {
  /** Its neighbours among the calls that are not settled. */
  previous: Submission | undefined;
  next: Submission | undefined;
  readonly promise: Promise<string[]>;
  readonly events: readonly PendingEvent[];
  /** Size of its events together. */
  readonly bytes: number;
  settled = false;
  /** Whether it takes room that others may wait for. */
  isAdmitted = false;
  /** Why the last attempt with events of it failed. */
  lastFailure: PublishFailure | undefined;
  readonly #whenSettled: (submission: Submission, error: unknown) => void;
  readonly #toStop: (() => void)[] = [];
  #open: number;
  #failure: PublishFailure | undefined;
  #resolve: (ids: string[]) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  /**
   * @param deadline when its time runs out, in milliseconds since 1970
   * @param whenSettled called once, before its caller hears of it, with why it failed if it did
   */
  constructor(
    events: readonly EncodedEvent[],
    readonly deadline: number,
    whenSettled: (submission: Submission, error: unknown) => void,
    readonly createSpan?: CreateSpan,
  ) {
    this.events = events.map((event, index) => new PendingEvent(this, index, event));
    this.bytes = events.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#open = events.length;
    this.#whenSettled = whenSettled;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Called when the call is settled: stops its timer, or whatever watches it. */
  until(stop: () => void): void {
    this.#toStop.push(stop);
  }

  accept(event: PendingEvent): void {
    if (event.fate !== undefined) return;
    event.fate = "accepted";
    this.#closeOne();
  }

  /** The event will not be accepted; the call still waits for its other events. */
  lose(event: PendingEvent, failure: PublishFailure): void {
    if (event.fate !== undefined) return;
    event.fate = "lost";
    this.#failure ??= failure;
    this.#closeOne();
  }

  /** Ends the call, whatever its events' fate will be. */
  giveUp(failure: PublishFailure): void {
    if (this.settled) return;
    for (const batch of this.#batches()) batch.giveUp(this);
    this.#settle(this.#error(failure));
  }

  /** Ends a call of which nothing was sent. */
  refuse(error: unknown): void {
    this.#settle(error);
  }

  /** The requests that hold events of this call. */
  #batches(): ReadonlySet<Batch> {
    return new Set(this.events.flatMap(({ fate, batch }) => (fate === undefined && batch) || []));
  }

  #closeOne(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#settle(this.#failure && this.#error(this.#failure));
  }

  #settle(error: unknown): void {
    if (this.settled) return;
    this.settled = true;
    for (const stop of this.#toStop) stop();
    this.#whenSettled(this, error);
    if (error === undefined) this.#resolve(this.events.map(({ event }) => event.id));
    else this.#reject(error);
  }

  #error(failure: PublishFailure): PublishError {
    const accepted = this.events.filter(({ fate }) => fate === "accepted");
    const unpublished = this.events
      .filter(({ fate }) => fate !== "accepted")
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
