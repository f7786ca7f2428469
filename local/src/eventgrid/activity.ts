import { ServiceError } from "../base/index.js";
import type { DeliveryAttempt, EventObserver } from "./delivery/index.js";
import {
  type AcceptedEvent,
  BoundedHistory,
  type EventRecord,
  MAX_HISTORY_BYTES,
} from "./events/index.js";
import type { Handshake } from "./subscriptions/index.js";

type NumberedEvent = EventRecord & { readonly number: number };

type ActivityContent =
  | ({ readonly kind: "event" } & EventRecord)
  | ({ readonly kind: "delivery" } & { readonly attempt: DeliveryAttempt })
  | ({ readonly kind: "handshake" } & { readonly handshake: Handshake });

/** An entry of the activity log. Numbers start at 1 and grow by one. */
export type Activity = ActivityContent & {
  readonly number: number;
  /** Milliseconds since 1970, on the cloud's clock: for a delivery, when it ended. */
  readonly at: number;
};

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

  accepted({ event, topic, origin, offers, unready }: EventRecord): void {
    this.#add({ kind: "event", event, topic, origin, offers, unready }, event.sizeInBytes);
  }

  attempted(attempt: DeliveryAttempt): void {
    this.#add({ kind: "delivery", attempt });
  }

  handshaken(handshake: Handshake): void {
    this.#add({ kind: "handshake", handshake });
  }

  #add(content: ActivityContent, bytes = 0): void {
    this.#last++;
    const activity = numbered(content, this.#last, this.clock.now());
    if (activity.kind === "event") this.#records.set(activity.event, activity);
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
   * An accepted event by its number in the log, or the latest one with this `id`.
   *
   * @throws ServiceError if it is not in the history
   */
  findEvent(event: number | string): NumberedEvent {
    const found = this.list().findLast(
      (each) => each.kind === "event" && (each.number === event || each.event.id === event),
    );
    if (found?.kind === "event") return found;
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

/** Written out: a copy by spread takes ten times as long. */
function numbered(content: ActivityContent, number: number, at: number): Activity {
  switch (content.kind) {
    case "event":
      return {
        kind: "event",
        event: content.event,
        topic: content.topic,
        origin: content.origin,
        offers: content.offers,
        unready: content.unready,
        number,
        at,
      };
    case "delivery":
      return { kind: "delivery", attempt: content.attempt, number, at };
    case "handshake":
      return { kind: "handshake", handshake: content.handshake, number, at };
  }
}
