import type { AcceptedEvent } from "../event.js";
import type { EventSubscriptionSettings } from "../subscriptions/event-subscription.js";

/** Events that wait for their first delivery. */
export class EventLine {
  #events: AcceptedEvent[] = [];
  /** Index of the first that is still there. */
  #next = 0;

  /** @param pick which of so many is next, from 0; the first but for a fault */
  constructor(private readonly pick: (inLine: number) => number) {}

  get length(): number {
    return this.#events.length - this.#next;
  }

  add(event: AcceptedEvent): void {
    this.#events.push(event);
  }

  /** Takes as many as travel together; none when the line is empty. */
  take(batching: EventSubscriptionSettings["batching"]): AcceptedEvent[] {
    const taken: AcceptedEvent[] = [];
    let room = batching.preferredBatchSizeInKilobytes * 1024;
    while (taken.length < batching.maxEventsPerBatch) {
      const event = this.#first();
      if (!event) break;
      room -= event.sizeInBytes;
      if (room < 0 && taken.length > 0) break;
      taken.push(event);
      this.#next++;
    }
    this.#compact();
    return taken;
  }

  clear(): void {
    this.#events = [];
    this.#next = 0;
  }

  /** The event whose turn it is, brought to the front. */
  #first(): AcceptedEvent | undefined {
    const front = this.#events[this.#next];
    const index = this.#next + (this.length > 1 ? this.pick(this.length) : 0);
    const picked = this.#events[index];
    if (!front || !picked) return front;
    this.#events[index] = front;
    this.#events[this.#next] = picked;
    return picked;
  }

  /** Moves the rest to the front now and then, which costs less than a shift at every event. */
  #compact(): void {
    if (this.#next < 1000 || this.#next < this.length) return;
    this.#events = this.#events.slice(this.#next);
    this.#next = 0;
  }
}
