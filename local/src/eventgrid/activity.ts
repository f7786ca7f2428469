import { ServiceError } from "../base/index.js";
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

/** The activity log: accepted events, delivery attempts and handshakes, in order. */
export class ActivityLog implements EventObserver {
  readonly #entries: BoundedHistory<Activity>;
  readonly #listeners = new Set<(activity: Activity) => void>();
  readonly #records = new WeakMap<AcceptedEvent, NumberedEvent>();
  #last = 0;

  constructor(
    private readonly clock: { now(): number },
    entries: number,
  ) {
    this.#entries = new BoundedHistory(entries, MAX_HISTORY_BYTES);
  }

  /** The record names every field: a copy by spread takes ten times as long. */
  accepted({ event, topic, origin, offers, unready }: EventRecord): void {
    const number = this.#nextNumber();
    const at = this.clock.now();
    const record = { kind: "event", event, topic, origin, offers, unready, number, at } as const;
    this.#records.set(event, record);
    this.#add(record, event.sizeInBytes);
  }

  attempted(attempt: DeliveryAttempt): void {
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

  /**
   * An accepted event by its number in the log, or the latest one with this `id`, which may be a
   * number too.
   *
   * @throws ServiceError if it is not in the history
   */
  findEvent(event: number | string): NumberedEvent {
    const events = this.list().filter((each) => each.kind === "event");
    const found =
      events.find(({ number }) => number === event) ??
      events.findLast(({ event: { id } }) => id === String(event));
    if (found) return found;
    throw new ServiceError(404, "EventNotFound", `There is no event '${event}' in the history.`);
  }

  /** How an event was accepted. */
  recordOf(event: AcceptedEvent): NumberedEvent | undefined {
    return this.#records.get(event);
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
