import { AZURE_LIMITS } from "../binding/index.js";
import { Fifo } from "../collections.js";
import { readEvent } from "../events/envelope/index.js";
import {
  DeliveryLog,
  type EventDependencies,
  eventDependencies,
  handleEvents,
  isMalformed,
  logProblems,
  type Outcome,
  timeOutUnfinished,
} from "../handling/index.js";
import { eventNames, type Log } from "../observability.js";
import { type Clock, settlesWithin } from "../time.js";
import { Locks, PulledEvent } from "./locks.js";
import { type LockedEvent, QueueClient, ReceiveLoop, type Room } from "./queue.js";
import type { ReceiverSettings } from "./settings.js";
import { dispositionOf, Settler } from "./settler.js";
import { ReceiverMetrics, ReceiverTracing } from "./telemetry.js";

/** Events that wait for their settlement before no further ones are received. */
const MAX_UNSETTLED = 1_000;
/** Time for the last settlements, after the time for handlers. */
const SETTLING_MS = 10_000;
const UNSETTLED =
  "the drain ended before all settlements were confirmed: the events may be delivered again";
/** How long the deduplication store may take for an answer. */
const STORE_TIMEOUT_MS = 5_000;
/** The weight of one handler's duration in the estimate of the next. */
const SMOOTHING = 0.1;

/** Empties one queue, from its start to its end. */
export class QueueReceiver {
  readonly #settings: ReceiverSettings;
  readonly #log: Log;
  readonly #metrics: ReceiverMetrics;
  readonly #client: QueueClient;
  readonly #events: EventDependencies;
  readonly #locks: Locks;
  readonly #settler: Settler;
  readonly #loop: ReceiveLoop;
  readonly #deliveries: DeliveryLog;
  readonly #waiting = new Fifo<PulledEvent>();
  readonly #handling = new Set<PulledEvent>();
  /** Estimated duration of a handler; unknown until the first one has ended. */
  #handlerMs: number | undefined;
  #isDraining = false;
  #running: Promise<void> | undefined;
  #whenHandled: (() => void) | undefined;
  #isDrainAborted = false;
  #endWait: (() => void) | undefined;

  constructor(
    settings: ReceiverSettings,
    log: Log,
    private readonly timer: Clock,
    random: () => number,
  ) {
    this.#settings = settings;
    this.#log = settings.name === undefined ? log : log.child({ binding: settings.name });
    const { concurrency, queue, telemetry } = settings;
    const { destination, endpoint } = queue;
    const metrics = new ReceiverMetrics(timer, telemetry?.meterProvider, destination);
    this.#metrics = metrics;
    this.#deliveries = new DeliveryLog(this.#log, timer);
    this.#events = eventDependencies(settings, {
      concurrentHandlers: concurrency,
      consumer: `${endpoint.host}${endpoint.pathname}`.toLowerCase(),
      storeTimeoutMs: STORE_TIMEOUT_MS,
      // Only this event subscription is asked for events.
      expectedSource: undefined,
      destination,
      metrics,
      timer,
      log: this.#log,
    });
    const tracing = new ReceiverTracing(destination, telemetry?.tracerProvider);
    const context = { settings, log: this.#log, timer, metrics, tracing, random };
    const client = new QueueClient(context);
    this.#client = client;
    this.#locks = new Locks(context, client, (event) => this.#lose(event));
    this.#settler = new Settler(context, client, () => this.#loop.roomChanged());
    const room = () => this.#room();
    this.#loop = new ReceiveLoop(context, client, room, (events) => this.#take(events));
  }

  start(): void {
    this.#events.deduplication?.store.open?.(this.#log);
    this.#running = this.#loop.run();
  }

  isReady(): boolean {
    return this.#loop.isAccepted;
  }

  /** Reports whether handlers that never end have held all slots for longer than locks can be renewed. */
  isStuck(): boolean {
    const longestMs = AZURE_LIMITS.lockRenewalMs + this.#settings.queue.lockMs;
    return this.#events.slots.isStuckFor(longestMs);
  }

  /**
   * Stops receiving, releases the events that wait for a handler, waits for those that have one,
   * releases what is left, and waits until the namespace has confirmed all that.
   */
  async close(): Promise<void> {
    const { drainTimeoutMs } = this.#settings;
    const endsAtMs = this.timer.now() + this.maxDrainMs;
    this.#isDraining = true;
    this.#loop.stop();
    await this.#running;
    this.#releaseWaiting();
    if (!this.#isDrainAborted) await this.#within(drainTimeoutMs, this.#handled());
    for (const event of this.#handling) {
      event.lose("the receiver was closed; the event was released");
      this.#release(event);
    }
    const leftMs = this.#isDrainAborted ? SETTLING_MS : endsAtMs - this.timer.now();
    await this.#within(leftMs, this.#settler.idle());
    if (this.#settler.size > 0) this.#log.warn({ events: this.#settler.size }, UNSETTLED);
    this.#settler.close();
    this.#deliveries.close();
    await this.#client.close();
    await this.#events.deduplication?.close();
  }

  /** Ends what the drain waits for: handlers, then settlements. */
  abortDrain(): void {
    this.#isDrainAborted = true;
    this.#endWait?.();
  }

  get maxDrainMs(): number {
    return this.#settings.drainTimeoutMs + SETTLING_MS;
  }

  /**
   * Returns how many more events may be received: those that a handler is free for, and as many more as
   * handlers can take within half the time of a lock.
   */
  #room(): Room {
    const { concurrency, prefetch, queue } = this.#settings;
    const takenInTime =
      this.#handlerMs === undefined
        ? 0
        : Math.floor((concurrency * queue.lockMs) / 2 / Math.max(this.#handlerMs, 1));
    const total = concurrency + Math.min(prefetch, takenInTime);
    const held = this.#handling.size + this.#waiting.length;
    return { free: this.#settler.size < MAX_UNSETTLED ? total - held : 0, total };
  }

  #take(locked: readonly LockedEvent[]): void {
    const { queue } = this.#settings;
    const receivedAtMs = this.timer.now();
    const received = locked.map(({ event }) => readEvent(event));
    logProblems(received, this.#log, this.#metrics);
    this.#deliveries.warnOfRounded(received, { jsonOf: (index) => locked[index]?.json() });
    this.#metrics.inFlight(locked.length);
    this.#metrics.received(locked.length);
    for (const [index, lock] of locked.entries()) {
      const element = received[index];
      if (element === undefined) continue;
      const event = new PulledEvent(element, lock, queue, receivedAtMs, this.#log);
      this.#locks.hold(event);
      this.#waiting.push(event);
    }
    this.#handleNext();
  }

  #handleNext(): void {
    while (this.#handling.size < this.#settings.concurrency && !this.#isDraining) {
      const event = this.#waiting.shift();
      if (event === undefined) return;
      if (event.state === "waiting") void this.#handle(event);
    }
  }

  async #handle(event: PulledEvent): Promise<void> {
    event.state = "handling";
    this.#handling.add(event);
    const startedAtMs = this.timer.now();
    // A lock that runs out replaces the outcomes, but the handler may still succeed.
    const { outcomes } = event;
    await handleEvents(event, this.#events, 1);
    const outcome = outcomes[0] ?? "failed";
    this.#learn(this.timer.now() - startedAtMs);
    this.#locks.drop(event);
    this.#handling.delete(event);
    this.#settle(event, outcome);
    this.#handleNext();
    this.#loop.roomChanged();
    if (this.#handling.size === 0) this.#whenHandled?.();
  }

  #settle(event: PulledEvent, outcome: Outcome): void {
    // It was lost or released while its handler ran.
    if (event.state !== "handling") return;
    const { retryDelaysSeconds } = this.#settings;
    this.#settler.add(event, dispositionOf(outcome, event.attempt, retryDelaysSeconds));
    this.#end(event, outcome);
  }

  /** The lock has run out: the handler's signal is aborted, and the event is delivered again. */
  #lose(event: PulledEvent): void {
    event.lose("the event's lock has run out; it is delivered again");
    const unfinished = timeOutUnfinished(event, this.#events);
    this.#log.warn(unfinished, "lock ran out: the event is delivered again");
    this.#metrics.lostLock();
    this.#end(event, "timed-out");
  }

  #releaseWaiting(): void {
    for (let event = this.#waiting.shift(); event; event = this.#waiting.shift()) {
      if (event.state === "waiting") this.#release(event);
    }
  }

  #release(event: PulledEvent): void {
    this.#locks.drop(event);
    this.#settler.add(event, { operation: "release", delaySeconds: 0 });
    this.#end(event, "released");
  }

  #end(event: PulledEvent, outcome: Outcome | "released"): void {
    this.#metrics.inFlight(-1);
    const [element] = event.received;
    const fields = () => ({
      subscription: event.subscriptionName,
      attempt: event.attempt,
      event: isMalformed(element) ? undefined : eventNames(element.event),
    });
    this.#deliveries.ended([outcome], this.timer.now() - event.receivedAtMs, fields);
  }

  #learn(durationMs: number): void {
    const known = this.#handlerMs ?? durationMs;
    this.#handlerMs = known + SMOOTHING * (durationMs - known);
  }

  #handled(): Promise<void> {
    if (this.#handling.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenHandled = resolve;
    });
  }

  /** Waits for a part of the drain: for a time at most, and not after `abortDrain()`. */
  async #within(timeoutMs: number, work: Promise<void>): Promise<void> {
    const aborted = new Promise<void>((resolve) => {
      this.#endWait = resolve;
    });
    await settlesWithin(timeoutMs, Promise.race([work, aborted]), this.timer);
  }
}
