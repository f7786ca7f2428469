import type { DeliveryAttempt } from "./delivery/index.js";
import { type AcceptedEvent, History, type Offer } from "./events/index.js";
import type { Handshake } from "./subscriptions/index.js";

/** An accepted event, and which subscriptions in its scope wanted it. */
export interface EventRecord {
  readonly event: AcceptedEvent;
  /** Name of the topic; `undefined` for an event of one of Azure's services. */
  readonly topic: string | undefined;
  readonly offers: readonly Offer[];
}

export type ActivityContent =
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
export class ActivityLog {
  readonly #entries: History<Activity>;
  readonly #listeners = new Set<(activity: Activity) => void>();
  readonly #records = new WeakMap<AcceptedEvent, EventRecord & { readonly number: number }>();
  #last = 0;

  constructor(
    private readonly now: () => number,
    entries: number,
    bytes: number,
  ) {
    this.#entries = new History(entries, bytes);
  }

  add(content: ActivityContent, bytes: number): void {
    this.#last++;
    const activity = numbered(content, this.#last, this.now());
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

  /** How an event was accepted. */
  recordOf(event: AcceptedEvent): (EventRecord & { readonly number: number }) | undefined {
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
        offers: content.offers,
        number,
        at,
      };
    case "delivery":
      return { kind: "delivery", attempt: content.attempt, number, at };
    case "handshake":
      return { kind: "handshake", handshake: content.handshake, number, at };
  }
}
