import { Fifo } from "../../collections/index.js";
import { backoffMs } from "../../transport/index.js";
import type { PublisherSettings } from "../settings/index.js";
import type { RequestFailure, Transport } from "../transport/index.js";
import { type Batch, EventQueue } from "./batch.js";
import type { Call, PendingEvent } from "./call.js";
import type { Throttle } from "./throttle.js";

/**
 * Decides which events are sent in which request, and when.
 *
 * Events of one turn of the event loop are sent together at its end. While as many requests as
 * allowed are in flight, events wait and share the next one: batches grow with the load, and an idle
 * publisher delays nothing.
 */
export class BatchSender {
  readonly #settings: PublisherSettings;
  readonly #queue: EventQueue;
  /** Batches that are sent before the queue: retries, and halves of a batch that was split. */
  readonly #ready = new Fifo<Batch>();
  /** How to cancel the timers of the batches that wait for their next attempt. */
  readonly #retryTimers = new Map<Batch, () => void>();
  #inFlight = 0;
  #isScheduled = false;

  constructor(
    settings: PublisherSettings,
    private readonly transport: Transport,
    private readonly throttle: Throttle,
  ) {
    this.#settings = settings;
    this.#queue = new EventQueue(settings);
  }

  submit(call: Call): void {
    const refusal = this.throttle.refusal(call.deadline);
    if (refusal !== undefined) {
      call.giveUp(refusal);
      return;
    }
    for (const event of call.events) this.#queue.add(event);
    this.#schedule();
  }

  /** No caller waits any more: timers would only keep the process alive. */
  stopWaiting(): void {
    this.throttle.stopWaiting();
    for (const cancel of this.#retryTimers.values()) cancel();
    this.#retryTimers.clear();
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
      const batch = this.#ready.shift() ?? this.#queue.next();
      if (batch === undefined) return;
      if (batch.live().length > 0) void this.#send(batch);
    }
  }

  #isThrottled(): boolean {
    if (this.throttle.reason === undefined) return false;
    if (this.#isAwaited()) this.throttle.wait(() => this.#sendNext());
    return true;
  }

  #isAwaited(): boolean {
    return this.#queue.hasLive() || [...this.#ready].some((batch) => batch.live().length > 0);
  }

  async #send(batch: Batch): Promise<void> {
    this.#inFlight += 1;
    const result = await this.transport.send(batch.begin(), () => batch.content());
    this.#inFlight -= 1;
    if (result === "accepted") {
      for (const event of batch.live()) event.call.accept(event);
    } else {
      batch.end();
      this.#failed(batch, result);
    }
    this.#schedule();
  }

  #failed(batch: Batch, failure: RequestFailure): void {
    if (failure.ambiguous) batch.markAmbiguous();
    const halves = isCausedByEvents(failure) ? batch.split() : undefined;
    if (halves !== undefined) {
      for (const half of halves) this.#ready.push(half);
      return;
    }
    batch.failures += 1;
    for (const event of batch.live()) event.call.lastFailure = failure;
    if (this.throttle.extend(failure)) {
      this.#refuseThrottled(this.#queue.live());
      for (const ready of this.#ready) this.#refuseThrottled(ready.live());
    }

    const { clock, random, retry } = this.#settings;
    const delay = retryDelay(failure, batch.failures, retry, random());
    if (delay === undefined) {
      fail(batch.live(), afterAttempts(failure, batch.failures));
      return;
    }
    const due = clock.now() + delay;
    fail(
      batch.live().filter(({ call }) => call.deadline <= due),
      afterAttempts(failure, batch.failures, ", and time runs out before the next"),
    );
    if (batch.live().length > 0) this.#retryLater(batch, delay);
  }

  #retryLater(batch: Batch, delayMs: number): void {
    const cancel = this.#settings.clock.schedule(delayMs, () => {
      this.#retryTimers.delete(batch);
      this.#refuseThrottled(batch.live());
      this.#ready.push(batch);
      this.#sendNext();
    });
    this.#retryTimers.set(batch, cancel);
  }

  /** Fails events that the topic's wait leaves no time for. */
  #refuseThrottled(events: readonly PendingEvent[]): void {
    for (const event of events) {
      const refusal = this.throttle.refusal(event.call.deadline);
      if (refusal !== undefined) event.call.fail(event, refusal);
    }
  }
}

function fail(events: readonly PendingEvent[], failure: RequestFailure): void {
  for (const event of events) event.call.fail(event, failure);
}

/**
 * Decides what follows a failed attempt.
 *
 * @param failed attempts so far, 1 or more
 * @param random from 0 to below 1
 * @returns the delay before the next attempt; `undefined` when there is none
 */
function retryDelay(
  failure: RequestFailure,
  failed: number,
  retry: PublisherSettings["retry"],
  random: number,
): number | undefined {
  if (!failure.retryable || failed >= retry.attempts) return undefined;
  return backoffMs(failed, retry, failure.retryAfterMs ?? 0, random);
}

/** Whether splitting a batch isolates the call that the topic objects to: bad events, or too many. */
function isCausedByEvents({ status }: RequestFailure): boolean {
  return status === 400 || status === 413;
}

/** Adds the number of attempts to a failure's message if there was more than one. */
function afterAttempts(failure: RequestFailure, attempts: number, more = ""): RequestFailure {
  if (attempts === 1 && more === "") return failure;
  const counted = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  return { ...failure, message: `${failure.message} (after ${counted}${more})` };
}
