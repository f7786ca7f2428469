import type { Fifo } from "../../collections.js";
import { Attempt } from "../../transport/index.js";
import type { PublisherSettings } from "../settings/index.js";
import type { RequestDetails } from "../telemetry.js";
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

  /**
   * Ends an attempt that did not succeed.
   *
   * @param isAmbiguous whether the topic may have the events nonetheless
   */
  end(isAmbiguous: boolean): void {
    for (const event of this.#events) {
      event.attempt = undefined;
      if (isAmbiguous) event.mayHaveArrived = true;
    }
  }

  /** The request: its body is an array of the live events. */
  content(): RequestDetails & { readonly body: Buffer } {
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

/** Takes the next events that fit into one request; `undefined` when no caller waits any more. */
export function nextBatch(
  queue: Fifo<PendingEvent>,
  { topic, limits }: Pick<PublisherSettings, "topic" | "limits">,
): Batch | undefined {
  const events: PendingEvent[] = [];
  let size = OPENING_BYTES;
  for (let event = queue.first; event !== undefined; event = queue.first) {
    if (events.length === limits.requestEvents) break;
    if (event.isOpen) {
      const bytes = event.event.bytes + SEPARATOR_BYTES;
      if (events.length > 0 && size + bytes > topic.requestBytes) break;
      events.push(event);
      size += bytes;
    }
    queue.shift();
  }
  return events.length === 0 ? undefined : new Batch(events);
}
