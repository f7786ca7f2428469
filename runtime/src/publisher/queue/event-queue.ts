import { Batch, BYTES_AROUND, BYTES_BETWEEN } from "./batch.js";
import type { PendingEvent } from "./call.js";
import { Fifo } from "./fifo.js";

/** The limits of one request. */
export interface RequestLimits {
  readonly maxRequestBytes: number;
  readonly maxRequestEvents: number;
}

/** Events that wait to be sent, first come, first served. */
export class EventQueue {
  readonly #limits: RequestLimits;
  readonly #events = new Fifo<PendingEvent>();
  #bytes = 0;

  constructor(limits: RequestLimits) {
    this.#limits = limits;
  }

  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  /** Whether the queue contains enough for a full request. */
  get fillsRequest(): boolean {
    const { length } = this.#events;
    return (
      length >= this.#limits.maxRequestEvents ||
      this.#bytes + length * BYTES_BETWEEN + BYTES_AROUND >= this.#limits.maxRequestBytes
    );
  }

  add(event: PendingEvent): void {
    this.#events.push(event);
    this.#bytes += event.event.bytes;
  }

  /** The events that a caller still waits for. */
  live(): PendingEvent[] {
    return [...this.#events].filter(({ isOpen }) => isOpen);
  }

  /**
   * Whether a caller waits for any of its events. Drops events at the front whose callers have
   * left.
   */
  hasLive(): boolean {
    let { first } = this.#events;
    while (first !== undefined && !first.isOpen) {
      this.#drop(first);
      first = this.#events.first;
    }
    return first !== undefined;
  }

  /** Takes the next events that fit into one request; `undefined` when no caller waits any more. */
  next(): Batch | undefined {
    const { maxRequestBytes, maxRequestEvents } = this.#limits;
    const taken: PendingEvent[] = [];
    let size = BYTES_AROUND;
    for (let event = this.#events.first; event !== undefined; event = this.#events.first) {
      if (taken.length === maxRequestEvents) break;
      const { bytes } = event.event;
      if (event.isOpen) {
        if (taken.length > 0 && size + bytes + BYTES_BETWEEN > maxRequestBytes) break;
        taken.push(event);
        size += bytes + BYTES_BETWEEN;
      }
      this.#drop(event);
    }
    return taken.length === 0 ? undefined : new Batch(taken);
  }

  #drop({ event }: PendingEvent): void {
    this.#events.shift();
    this.#bytes -= event.bytes;
  }
}
