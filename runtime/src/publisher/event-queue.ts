import { Batch, BYTES_AROUND, BYTES_BETWEEN } from "./batch.js";
import type { PendingEvent } from "./submission.js";

/** What one request holds at most. */
export interface RequestLimits {
  readonly maxRequestBytes: number;
  readonly maxEventsPerRequest: number;
}

/** Events that wait to be sent, first come, first served. */
export class EventQueue {
  readonly #limits: RequestLimits;
  #events: PendingEvent[] = [];
  #head = 0;
  #bytes = 0;

  constructor(limits: RequestLimits) {
    this.#limits = limits;
  }

  get isEmpty(): boolean {
    return this.#head === this.#events.length;
  }

  /** Whether what waits is enough for a request that can hold no more. */
  get fillsRequest(): boolean {
    const count = this.#events.length - this.#head;
    return (
      count >= this.#limits.maxEventsPerRequest ||
      this.#bytes + count * BYTES_BETWEEN + BYTES_AROUND >= this.#limits.maxRequestBytes
    );
  }

  add(event: PendingEvent): void {
    this.#events.push(event);
    this.#bytes += event.event.bytes;
  }

  /** Whether a caller waits for any of it. */
  isAwaited(): boolean {
    return this.#events.some((event, index) => index >= this.#head && event.isOpen);
  }

  /** The next events that fit into one request; `undefined` when nobody waits any more. */
  next(): Batch | undefined {
    const { maxRequestBytes, maxEventsPerRequest } = this.#limits;
    const taken: PendingEvent[] = [];
    let size = BYTES_AROUND;
    for (; taken.length < maxEventsPerRequest; this.#head += 1) {
      const event = this.#events[this.#head];
      if (event === undefined) break;
      const { bytes } = event.event;
      if (event.isOpen) {
        if (taken.length > 0 && size + bytes + BYTES_BETWEEN > maxRequestBytes) break;
        taken.push(event);
        size += bytes + BYTES_BETWEEN;
      }
      this.#bytes -= bytes;
    }
    this.#compact();
    return taken.length === 0 ? undefined : new Batch(taken);
  }

  /** Taking from an array's front would move all the rest, every time. */
  #compact(): void {
    if (this.isEmpty) this.#events = [];
    else if (this.#head > this.#events.length / 2) this.#events = this.#events.slice(this.#head);
    else return;
    this.#head = 0;
  }
}
