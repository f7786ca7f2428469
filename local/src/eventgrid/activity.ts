import { serviceError } from "../base/index.js";
import type {
  DeliveryAttempt,
  DeliveryRequest,
  DeliveryResponse,
  EventObserver,
} from "./delivery/index.js";
import {
  type AcceptedEvent,
  BoundedHistory,
  type EventRecord,
  MAX_HISTORY_BYTES,
} from "./events/index.js";
import type { Handshake } from "./subscriptions/index.js";

type NumberedEvent = EventRecord & { readonly number: number };

/** An entry of the activity log. Numbers start at 1 and grow by one. */
export type Activity = {
  readonly number: number;
  /** Milliseconds since 1970, on the cloud's clock: for a delivery, when it ended. */
  readonly at: number;
} & (
  | ({ readonly kind: "event" } & EventRecord)
  | { readonly kind: "delivery"; readonly attempt: DeliveryAttempt }
  | { readonly kind: "handshake"; readonly handshake: Handshake }
);

/** Attempts that are kept with an event: three subscriptions with as many as Azure makes. */
const KEPT_ATTEMPTS = 90;
/** The latest of them keep request and response. */
const KEPT_EXCHANGES_OF_EVENT = 5;

/** The history of an event, kept for as long as anything refers to the event. */
interface Trace {
  record: NumberedEvent | undefined;
  attempts: readonly DeliveryAttempt[];
}

const NO_ATTEMPTS: readonly DeliveryAttempt[] = [];

/**
 * The activity log: accepted events, delivery attempts and handshakes, in order. An event that is not
 * settled stays, with its attempts, also after its entries have left the history.
 */
export class ActivityLog implements EventObserver {
  readonly #entries: BoundedHistory<Activity>;
  readonly #listeners = new Set<(activity: Activity) => void>();
  readonly #traces = new WeakMap<AcceptedEvent, Trace>();
  /** The events that each subscription has not settled, with the number of their copies. */
  readonly #unsettled = new Map<string, Map<AcceptedEvent, number>>();
  #last = 0;

  /** @param lettersOf the events of dead letters, which stay, too */
  constructor(
    private readonly clock: { now(): number },
    entries: number,
    private readonly lettersOf: () => readonly AcceptedEvent[],
  ) {
    this.#entries = new BoundedHistory(entries, MAX_HISTORY_BYTES);
  }

  /** The record names every field: a copy by spread takes ten times as long. */
  accepted({ event, topic, origin, offers, unready }: EventRecord): void {
    const number = this.#nextNumber();
    const at = this.clock.now();
    const record = { kind: "event", event, topic, origin, offers, unready, number, at } as const;
    this.#traceOf(event).record = record;
    this.#add(record, event.sizeInBytes);
  }

  queued(event: AcceptedEvent, subscriptionId: string): void {
    let events = this.#unsettled.get(subscriptionId);
    if (!events) {
      events = new Map();
      this.#unsettled.set(subscriptionId, events);
    }
    events.set(event, (events.get(event) ?? 0) + 1);
  }

  resumed(event: AcceptedEvent, subscriptionId: string): void {
    this.queued(event, subscriptionId);
  }

  settled(settled: readonly AcceptedEvent[], subscriptionId: string): void {
    const events = this.#unsettled.get(subscriptionId);
    for (const event of settled) {
      const copies = Number(events?.get(event));
      if (copies > 1) events?.set(event, copies - 1);
      else events?.delete(event);
    }
    if (events?.size === 0) this.#unsettled.delete(subscriptionId);
  }

  cleared(subscriptionId: string): void {
    this.#unsettled.delete(subscriptionId);
  }

  #traceOf(event: AcceptedEvent): Trace {
    let trace = this.#traces.get(event);
    if (!trace) {
      trace = { record: undefined, attempts: NO_ATTEMPTS };
      this.#traces.set(event, trace);
    }
    return trace;
  }

  attempted(attempt: DeliveryAttempt): void {
    for (const event of attempt.events) {
      const trace = this.#traceOf(event);
      const attempts = [...trace.attempts.slice(1 - KEPT_ATTEMPTS), attempt];
      const old = attempts.at(-1 - KEPT_EXCHANGES_OF_EVENT);
      if (old?.request ?? old?.response) {
        const without = { ...old, request: undefined, response: undefined };
        attempts.splice(-1 - KEPT_EXCHANGES_OF_EVENT, 1, without);
      }
      trace.attempts = attempts;
    }
    this.#add({ kind: "delivery", attempt, number: this.#nextNumber(), at: this.clock.now() });
  }

  handshaken(handshake: Handshake): void {
    this.#add({ kind: "handshake", handshake, number: this.#nextNumber(), at: this.clock.now() });
  }

  #nextNumber(): number {
    this.#last++;
    return this.#last;
  }

  #add(activity: Activity, bytes = 0): void {
    this.#entries.add(activity, bytes);
    for (const listener of this.#listeners) listener(activity);
  }

  /** The entries that are still in the history, the oldest first. */
  list(): Activity[] {
    return this.#entries.list();
  }

  /** The entries with a number above `number`, the oldest first. */
  after(number: number): Activity[] {
    return this.#entries.latest(this.#last - number);
  }

  /** The accepted events in the history, and those that stay, by their numbers. */
  events(): ReadonlyMap<number, NumberedEvent> {
    const unsettled = [...this.#unsettled.values()].flatMap((events) => [...events.keys()]);
    const staying = [...this.lettersOf(), ...unsettled].flatMap(
      (event) => this.recordOf(event) ?? [],
    );
    const inHistory = this.list().filter((each) => each.kind === "event");
    return new Map([...staying, ...inHistory].map((each) => [each.number, each]));
  }

  /**
   * An accepted event by its number in the log, or the latest one with this `id`, which may be a
   * number too.
   *
   * @throws ServiceError if it is not in the history
   */
  findEvent(event: number | string): NumberedEvent {
    const events = this.events();
    const numbered = events.get(Number(event));
    if (typeof event === "number" && numbered) return numbered;
    const named = [...events.values()].filter(({ event: { id } }) => id === String(event));
    const [first] = named.sort((one, other) => other.number - one.number);
    if (first) return first;
    throw serviceError.EventNotFound(`There is no event '${event}' in the history.`);
  }

  /** Returns the record of an event's acceptance. */
  recordOf(event: AcceptedEvent): NumberedEvent | undefined {
    return this.#traces.get(event)?.record;
  }

  /** The latest attempts to deliver an event, the oldest first. */
  attemptsOf(event: AcceptedEvent): readonly DeliveryAttempt[] {
    return this.#traces.get(event)?.attempts ?? [];
  }

  /** Calls back after each entry, until the returned function is called. */
  listen(listener: (activity: Activity) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  clear(): void {
    this.#entries.clear();
  }
}

/** Successful attempts that keep request and response, which take most of their memory. */
const KEPT_EXCHANGES = 1_000;

/** The latest attempts. Limits how many successful ones keep request and response. */
export class AttemptHistory {
  readonly #attempts: BoundedHistory<DeliveryAttempt>;
  #successes: DeliveryAttempt[] = [];

  constructor(entries: number) {
    this.#attempts = new BoundedHistory(entries, MAX_HISTORY_BYTES);
  }

  attempted(attempt: DeliveryAttempt): void {
    const bytes = attempt.events.reduce((sum, event) => sum + event.sizeInBytes, 0);
    this.#attempts.add(attempt, bytes);
    if (attempt.outcome !== "delivered") return;
    this.#successes.push(attempt);
    if (this.#successes.length < 2 * KEPT_EXCHANGES) return;
    for (const old of this.#successes.splice(0, KEPT_EXCHANGES)) dropExchange(old);
  }

  /** Oldest first. */
  list(): DeliveryAttempt[] {
    return this.#attempts.list();
  }

  clear(): void {
    this.#attempts.clear();
    this.#successes = [];
  }
}

/** Fields that are set to undefined take less memory than fields that are deleted. */
function dropExchange(attempt: {
  request?: DeliveryRequest | undefined;
  response?: DeliveryResponse | undefined;
}): void {
  attempt.request = undefined;
  attempt.response = undefined;
}
