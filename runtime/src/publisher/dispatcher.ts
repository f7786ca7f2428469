import type { Clock } from "../clock.js";
import type { Batch } from "./batch.js";
import { EventQueue, type RequestLimits } from "./event-queue.js";
import type { RequestFailure } from "./failure.js";
import { type RetryLimits, retryDelay } from "./retry-delay.js";
import type { Submission } from "./submission.js";
import type { TopicPause } from "./topic-pause.js";
import type { AttemptResult } from "./topic-requests.js";

/** How events become requests. */
export interface DispatchSettings extends RequestLimits {
  readonly maxRequests: number;
  readonly lingerMs: number;
  readonly retry: RetryLimits;
}

/** What the dispatcher works with. */
export interface DispatchParts {
  readonly send: (batch: Batch) => Promise<AttemptResult>;
  readonly clock: Clock;
  readonly pause: TopicPause;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/**
 * Decides which events go in which request, and when.
 *
 * What is submitted within one turn of the event loop goes out together, at the end of that turn.
 * While as many requests as allowed are under way events wait, and go out together when one ends:
 * batches grow with the load, and an idle publisher delays nothing. What the topic asks to wait for
 * with `Retry-After` is waited for with all events: it is for the caller, not for a request.
 */
export class Dispatcher {
  readonly #settings: DispatchSettings;
  readonly #parts: DispatchParts;
  readonly #queue: EventQueue;
  /** Batches that are to be sent before what waits in the queue. */
  readonly #ready: Batch[] = [];
  #underWay = 0;
  #turnEnds = false;
  #stopLinger: (() => void) | undefined;

  constructor(settings: DispatchSettings, parts: DispatchParts) {
    this.#settings = settings;
    this.#parts = parts;
    this.#queue = new EventQueue(settings);
  }

  submit(submission: Submission): void {
    for (const event of submission.events) this.#queue.add(event);
    this.#atEndOfTurn();
  }

  #atEndOfTurn(): void {
    if (this.#turnEnds) return;
    this.#turnEnds = true;
    // After the microtasks: callers that one answer has resumed all submit before.
    queueMicrotask(() => {
      process.nextTick(() => {
        this.#turnEnds = false;
        this.#dispatch();
      });
    });
  }

  #dispatch(): void {
    while (this.#underWay < this.#settings.maxRequests && !this.#isPaused()) {
      const batch = this.#ready.shift() ?? this.#nextFromQueue();
      if (batch === undefined) return;
      if (batch.live().length > 0) void this.#run(batch);
    }
  }

  #isPaused(): boolean {
    const { pause } = this.#parts;
    if (pause.reason() === undefined) return false;
    if (this.#isAwaited()) pause.wait(() => this.#dispatch());
    else this.#endLinger();
    return true;
  }

  /** Whether anybody still waits for what is to be sent: if not, no timer is worth keeping. */
  #isAwaited(): boolean {
    return this.#queue.isAwaited() || this.#ready.some((batch) => batch.live().length > 0);
  }

  #nextFromQueue(): Batch | undefined {
    if (this.#queue.isEmpty) return undefined;
    const { lingerMs } = this.#settings;
    if (lingerMs > 0 && this.#underWay > 0 && !this.#queue.fillsRequest) {
      this.#stopLinger ??= this.#parts.clock.schedule(lingerMs, () => this.#lingered());
      return undefined;
    }
    this.#endLinger();
    return this.#queue.next();
  }

  #endLinger(): void {
    this.#stopLinger?.();
    this.#stopLinger = undefined;
  }

  #lingered(): void {
    this.#stopLinger = undefined;
    if (this.#underWay < this.#settings.maxRequests && !this.#isPaused()) {
      const batch = this.#queue.next();
      if (batch !== undefined) void this.#run(batch);
    }
    this.#dispatch();
  }

  async #run(batch: Batch): Promise<void> {
    this.#underWay += 1;
    const result = await this.#parts.send(batch);
    batch.exchange = undefined;
    this.#underWay -= 1;
    if (result === "accepted") this.#accepted(batch);
    else if (result === "again") this.#ready.push(batch);
    else this.#failed(batch, result);
    this.#atEndOfTurn();
  }

  #accepted(batch: Batch): void {
    const events = batch.live();
    batch.dissolve();
    for (const event of events) event.submission.accept(event);
  }

  #failed(batch: Batch, failure: RequestFailure): void {
    if (failure.ambiguous) batch.mayHaveArrived();
    if (failure.status === 400 || failure.status === 413) {
      const halves = batch.takenApart();
      if (halves !== undefined) {
        this.#ready.push(...halves);
        return;
      }
    }
    this.#parts.pause.heed(failure);
    for (const event of batch.live()) event.submission.lastFailure = failure;
    batch.failures += 1;
    const { retry } = this.#settings;
    if (!failure.retryable || batch.failures >= retry.maxAttempts) {
      this.#lose(batch, afterAttempts(failure, batch.failures));
      return;
    }
    this.#later(batch, failure);
  }

  #later(batch: Batch, failure: RequestFailure): void {
    const { clock, random } = this.#parts;
    const { retry } = this.#settings;
    const delay = retryDelay(batch.failures, retry, random(), failure.retryAfterMs);
    const next = clock.now() + delay;
    const reason = afterAttempts(failure, batch.failures, ", and time runs out before the next");
    for (const event of batch.live()) {
      if (event.submission.deadline <= next) event.submission.lose(event, reason);
    }
    if (batch.live().length === 0) {
      batch.dissolve();
      return;
    }
    const stop = clock.schedule(delay, () => {
      batch.cancel = undefined;
      this.#ready.push(batch);
      this.#dispatch();
    });
    batch.cancel = () => {
      stop();
      batch.dissolve();
    };
  }

  #lose(batch: Batch, failure: RequestFailure): void {
    const events = batch.live();
    batch.dissolve();
    for (const event of events) event.submission.lose(event, failure);
  }
}

function afterAttempts(failure: RequestFailure, attempts: number, more = ""): RequestFailure {
  if (attempts === 1 && more === "") return failure;
  const counted = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  return { ...failure, message: `${failure.message} (after ${counted}${more})` };
}
