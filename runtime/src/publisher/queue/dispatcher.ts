import type { Clock } from "../../clock.js";
import { Attempt, type RequestFailure, type Transport } from "../transport/index.js";
import type { Batch } from "./batch.js";
import type { Call, PendingEvent } from "./call.js";
import { EventQueue, type RequestLimits } from "./event-queue.js";
import { Fifo } from "./fifo.js";
import { afterAttempts, blamesEvents, type RetryPolicy, retryDelay } from "./retry.js";
import type { Throttle } from "./throttle.js";

/** How events become requests. */
export interface DispatchSettings extends RequestLimits {
  readonly maxRequests: number;
  readonly lingerMs: number;
  readonly retry: RetryPolicy;
}

/** The dependencies of a dispatcher. */
export interface DispatchDependencies {
  readonly transport: Pick<Transport, "send">;
  readonly clock: Clock;
  readonly throttle: Throttle;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/**
 * Decides which events are sent in which request, and when.
 *
 * Events of one turn of the event loop are sent together at its end. While as many requests as
 * allowed are under way, events wait and share the next one: batches grow with the load, and an idle
 * publisher delays nothing.
 */
export class Dispatcher {
  readonly #settings: DispatchSettings;
  readonly #dependencies: DispatchDependencies;
  readonly #queue: EventQueue;
  /** Batches that are sent before the queue: retries, and halves of a batch that was split. */
  readonly #ready = new Fifo<Batch>();
  #underWay = 0;
  #isScheduled = false;
  #cancelLinger: (() => void) | undefined;

  constructor(settings: DispatchSettings, dependencies: DispatchDependencies) {
    this.#settings = settings;
    this.#dependencies = dependencies;
    this.#queue = new EventQueue(settings);
  }

  submit(call: Call): void {
    const reason = this.#dependencies.throttle.outlasts(call.deadline);
    if (reason !== undefined) {
      call.giveUp(reason);
      return;
    }
    for (const event of call.events) this.#queue.add(event);
    this.#scheduleDispatch();
  }

  #scheduleDispatch(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    while (this.#underWay < this.#settings.maxRequests && !this.#isThrottled()) {
      const batch = this.#ready.shift() ?? this.#nextFromQueue();
      if (batch === undefined) return;
      if (batch.live().length > 0) void this.#send(batch);
    }
  }

  #isThrottled(): boolean {
    const { throttle } = this.#dependencies;
    if (throttle.reason === undefined) return false;
    if (this.#isAwaited()) throttle.wait(() => this.#dispatch());
    else this.#endLinger();
    return true;
  }

  #isAwaited(): boolean {
    return this.#queue.hasLive() || [...this.#ready].some((batch) => batch.live().length > 0);
  }

  #nextFromQueue(): Batch | undefined {
    if (this.#queue.isEmpty) return undefined;
    const { lingerMs } = this.#settings;
    if (lingerMs > 0 && this.#underWay > 0 && !this.#queue.fillsRequest) {
      this.#cancelLinger ??= this.#dependencies.clock.schedule(lingerMs, () => this.#lingered());
      return undefined;
    }
    this.#endLinger();
    return this.#queue.next();
  }

  #endLinger(): void {
    this.#cancelLinger?.();
    this.#cancelLinger = undefined;
  }

  #lingered(): void {
    this.#cancelLinger = undefined;
    if (this.#underWay < this.#settings.maxRequests && !this.#isThrottled()) {
      const batch = this.#queue.next();
      if (batch !== undefined) void this.#send(batch);
    }
    this.#dispatch();
  }

  async #send(batch: Batch): Promise<void> {
    this.#underWay += 1;
    batch.attempt = new Attempt();
    const result = await this.#dependencies.transport.send(batch.attempt, () => batch.content());
    batch.attempt = undefined;
    this.#underWay -= 1;
    if (result === "accepted") {
      for (const event of batch.live()) event.call.accept(event);
    } else {
      this.#failed(batch, result);
    }
    this.#scheduleDispatch();
  }

  #failed(batch: Batch, failure: RequestFailure): void {
    if (failure.ambiguous) batch.markAmbiguous();
    const halves = blamesEvents(failure) ? batch.split() : undefined;
    if (halves !== undefined) {
      for (const half of halves) this.#ready.push(half);
      return;
    }
    batch.failures += 1;
    for (const event of batch.live()) event.call.lastFailure = failure;
    if (this.#dependencies.throttle.heed(failure)) {
      this.#failOutlasted(this.#queue.live());
      for (const ready of this.#ready) this.#failOutlasted(ready.live());
    }

    const { clock, random } = this.#dependencies;
    const delay = retryDelay(failure, batch.failures, this.#settings.retry, random());
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
    batch.cancelWait = this.#dependencies.clock.schedule(delayMs, () => {
      batch.cancelWait = undefined;
      this.#failOutlasted(batch.live());
      this.#ready.push(batch);
      this.#dispatch();
    });
  }

  /** Fails events that the topic's wait leaves no time for. */
  #failOutlasted(events: readonly PendingEvent[]): void {
    const { throttle } = this.#dependencies;
    for (const event of events) {
      const reason = throttle.outlasts(event.call.deadline);
      if (reason !== undefined) event.call.fail(event, reason);
    }
  }
}

function fail(events: readonly PendingEvent[], failure: RequestFailure): void {
  for (const event of events) event.call.fail(event, failure);
}
