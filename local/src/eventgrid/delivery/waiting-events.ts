import type { AcceptedEvent } from "../events/index.js";
import type { EventSubscriptionSettings } from "../subscriptions/index.js";

/** Events that wait for their first delivery. */
export class WaitingEvents {
  #events: AcceptedEvent[] = [];
  /** Index of the first event that is not taken yet. */
  #next = 0;

  /** @param pick index of the next among so many waiting events: 0 without a fault */
  constructor(private readonly pick: (waiting: number) => number) {}

  get length(): number {
    return this.#events.length - this.#next;
  }

  add(event: AcceptedEvent): void {
    this.#events.push(event);
  }

  /** Removes the events, and returns those that were waiting. */
  remove(events: ReadonlySet<AcceptedEvent>): AcceptedEvent[] {
    const waiting = this.#events.slice(this.#next);
    this.#events = waiting.filter((event) => !events.has(event));
    this.#next = 0;
    return waiting.filter((event) => events.has(event));
  }

  /** Takes one batch. Empty if no event waits. */
  take(batching: EventSubscriptionSettings["batching"]): AcceptedEvent[] {
    const taken: AcceptedEvent[] = [];
    let remainingBytes = batching.preferredBatchSizeInKilobytes * 1024;
    while (taken.length < batching.maxEventsPerBatch) {
      const event = this.#first();
      if (!event) break;
      remainingBytes -= event.sizeInBytes;
      if (remainingBytes < 0 && taken.length > 0) break;
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

  /** The next event, after swapping it to the front. */
  #first(): AcceptedEvent | undefined {
    const front = this.#events[this.#next];
    const index = this.#next + (this.length > 1 ? this.pick(this.length) : 0);
    const picked = this.#events[index];
    if (!front || !picked) return front;
    this.#events[index] = front;
    this.#events[this.#next] = picked;
    return picked;
  }

  /** Compacting now and then costs less than a shift for every event. */
  #compact(): void {
    if (this.#next < 1000 || this.#next < this.length) return;
    this.#events = this.#events.slice(this.#next);
    this.#next = 0;
  }
}
