import { Fifo } from "../../collections/index.js";
import { Attempt } from "../../transport/index.js";
import type { PublisherSettings } from "../settings/index.js";
import type { RequestContent } from "../transport/index.js";
import type { Call, PendingEvent } from "./call.js";

/** The bracket that opens the array of a request. */
const OPENING_BYTES = 1;
/** The comma or the closing bracket after an event. */
const SEPARATOR_BYTES = 1;

/** Events of one or several calls that are sent in one request. */
export class Batch {
  /** Attempts that failed. */
  failures = 0;
  #events: readonly PendingEvent[];

  constructor(events: readonly PendingEvent[]) {
    this.#events = events;
  }

  /** The events whose outcome is open and whose callers still wait. */
  live(): readonly PendingEvent[] {
    if (!this.#events.every(({ isOpen }) => isOpen)) {
      this.#events = this.#events.filter(({ isOpen }) => isOpen);
    }
    return this.#events;
  }

  /** Begins an attempt to send the live events. A call that is given up leaves it. */
  begin(): Attempt {
    const attempt = new Attempt(this.#calls().length);
    for (const event of this.#events) event.attempt = attempt;
    return attempt;
  }

  /** Ends an attempt that did not succeed. */
  end(): void {
    for (const event of this.#events) event.attempt = undefined;
  }

  /** The body of the request: an array of the live events. */
  content(): RequestContent {
    const events = this.live();
    const body = Buffer.from(`[${events.map(({ event }) => event.json).join(",")}]`);
    return {
      body,
      bytes: body.length,
      events: events.length,
      resends: this.failures,
      spans: this.#calls().flatMap(({ span }) => span ?? []),
    };
  }

  /** An attempt ended without a clear response. */
  markAmbiguous(): void {
    for (const event of this.live()) event.mayHaveArrived = true;
  }

  /** Splits the calls into two batches; `undefined` when there is only one call. */
  split(): readonly [Batch, Batch] | undefined {
    const calls = this.#calls();
    if (calls.length < 2) return undefined;
    const first = new Set(calls.slice(0, Math.ceil(calls.length / 2)));
    const events = this.live();
    return [
      new Batch(events.filter(({ call }) => first.has(call))),
      new Batch(events.filter(({ call }) => !first.has(call))),
    ];
  }

  /** The calls that still wait, in the order of their events. */
  #calls(): readonly Call[] {
    return [...new Set(this.live().map(({ call }) => call))];
  }
}

/** Events that wait to be sent, first come, first served. */
export class EventQueue {
  readonly #events = new Fifo<PendingEvent>();

  constructor(private readonly settings: Pick<PublisherSettings, "topic" | "limits">) {}

  add(event: PendingEvent): void {
    this.#events.push(event);
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
    while (this.#events.first?.isOpen === false) this.#events.shift();
    return this.#events.first !== undefined;
  }

  /** Takes the next events that fit into one request; `undefined` when no caller waits any more. */
  next(): Batch | undefined {
    const { topic, limits } = this.settings;
    const events: PendingEvent[] = [];
    let size = OPENING_BYTES;
    for (let event = this.#events.first; event !== undefined; event = this.#events.first) {
      if (events.length === limits.requestEvents) break;
      if (event.isOpen) {
        const bytes = event.event.bytes + SEPARATOR_BYTES;
        if (events.length > 0 && size + bytes > topic.requestBytes) break;
        events.push(event);
        size += bytes;
      }
      this.#events.shift();
    }
    return events.length === 0 ? undefined : new Batch(events);
  }
}
