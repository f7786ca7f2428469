import { AZURE_LIMITS } from "../../binding/index.js";
import { Attempt, type RequestFailure } from "../../transport/index.js";
import type { ReceiverContext } from "../context.js";
import { type LockedEvent, type QueueClient, waitAfter } from "./queue-client.js";

/** How many more events may be held, of how many in all. */
export interface Room {
  readonly free: number;
  readonly total: number;
}

/** A namespace refuses a request at once: one that is pending for this long has been accepted. */
const ACCEPTED_AFTER_MS = 2_000;
/**
 * A namespace without events answers at the end of the wait. An answer before this part of it would
 * repeat the request so often that it costs more than it receives.
 */
const EARLY = 0.1;
/** So many early answers in succession are logged. Fewer may be a namespace that changes. */
const LOGGED_EARLY_ANSWERS = 3;
/** How long a receiver with little room waits for more, so that it does not fetch events singly. */
const MORE_ROOM_MS = 20;

/** Receives events, one request after the other, for as long as there is room. */
export class ReceiveLoop {
  #isStopped = false;
  #isAccepted = false;
  #attempt: Attempt | undefined;
  /** Requests that failed in succession, and the cause that was logged. */
  #failures = 0;
  #loggedKind: string | undefined;
  /** How long the last failed request took: a slow refusal looks like a wait until then. */
  #failedAfterMs = 0;
  #earlyAnswers = 0;
  #wake: (() => void) | undefined;
  /** Whether room for one event ends the wait, or only half of all room. */
  #waitsFor: "any" | "half" | undefined;

  /** @param roomNow how many more events may be held now */
  constructor(
    private readonly context: ReceiverContext,
    private readonly client: QueueClient,
    private readonly roomNow: () => Room,
    private readonly onReceived: (events: readonly LockedEvent[]) => void,
  ) {}

  /** Whether the namespace accepts the requests. */
  get isAccepted(): boolean {
    return this.#isAccepted && !this.#isStopped;
  }

  /** Receives until it is stopped. Never rejects. */
  async run(): Promise<void> {
    const { settings, timer, tracing } = this.context;
    const { maxWaitSeconds } = settings;
    while (!this.#isStopped) {
      const room = await this.#room();
      if (this.#isStopped) return;
      const attempt = new Attempt(1);
      this.#attempt = attempt;
      const stopWatch = this.#watchAcceptance(attempt);
      const startedAtMs = timer.now();
      const startTime = Date.now();
      const count = Math.min(room, AZURE_LIMITS.receiveEvents.max);
      const { events, failure } = await this.client.receive(count, maxWaitSeconds, attempt);
      stopWatch();
      const received = events.map(({ event }) => event);
      tracing.received(received, this.#isStopped ? undefined : failure?.kind, startTime);
      const tookMs = timer.now() - startedAtMs;
      if (events.length > 0) this.onReceived(events);
      if (failure !== undefined) await this.#failed(failure, tookMs);
      else {
        this.#recovered();
        if (events.length > 0 || tookMs >= EARLY * maxWaitSeconds * 1_000) this.#earlyAnswers = 0;
        else await this.#answeredEarly();
      }
    }
  }

  /** Stops receiving, and cancels the request that waits for events. */
  stop(): void {
    this.#isStopped = true;
    this.#attempt?.cancel();
    this.#wake?.();
  }

  roomChanged(): void {
    const { free, total } = this.roomNow();
    if (this.#waitsFor === "any" || (this.#waitsFor && free >= total / 2)) this.#wake?.();
  }

  /** Waits until there is room for at least one event, and a little longer if there is not much. */
  async #room(): Promise<number> {
    this.#waitsFor = "any";
    while (this.roomNow().free <= 0 && !this.#isStopped) await this.#until();
    this.#waitsFor = "half";
    const { free, total } = this.roomNow();
    if (free < total / 2 && !this.#isStopped) await this.#until(MORE_ROOM_MS);
    this.#waitsFor = undefined;
    return this.roomNow().free;
  }

  /** Waits until it is woken, or for a time. */
  #until(durationMs?: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#wake = undefined;
        cancel();
        resolve();
      };
      const cancel =
        durationMs === undefined ? () => {} : this.context.timer.schedule(durationMs, wake, true);
      this.#wake = wake;
    });
  }

  #watchAcceptance(attempt: Attempt): () => void {
    const delayMs = ACCEPTED_AFTER_MS + this.#failedAfterMs;
    return this.context.timer.schedule(delayMs, () => {
      if (attempt.stage === "response") this.#isAccepted = true;
    });
  }

  #recovered(): void {
    this.#isAccepted = true;
    if (this.#failures > 0) {
      this.context.log.info({ failures: this.#failures }, "events are received again");
    }
    this.#failures = 0;
    this.#failedAfterMs = 0;
    this.#loggedKind = undefined;
  }

  async #failed(failure: RequestFailure, tookMs: number): Promise<void> {
    if (this.#isStopped) return;
    this.#isAccepted = false;
    this.#failures += 1;
    this.#failedAfterMs = tookMs;
    if (this.#loggedKind !== failure.kind) {
      this.#loggedKind = failure.kind;
      this.context.log.warn({ reason: failure.message }, "events cannot be received: trying again");
    }
    await this.#until(waitAfter(this.#failures, this.context, failure.details.retryAfterMs));
  }

  async #answeredEarly(): Promise<void> {
    if (this.#isStopped) return;
    this.#earlyAnswers += 1;
    if (this.#earlyAnswers === LOGGED_EARLY_ANSWERS) {
      this.context.log.warn({}, "the namespace does not wait for events: receiving less often");
    }
    await this.#until(waitAfter(this.#earlyAnswers, this.context));
  }
}
