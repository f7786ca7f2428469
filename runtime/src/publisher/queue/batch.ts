import type { Attempt, RequestContent } from "../transport/index.js";
import type { Call, PendingEvent } from "./call.js";

/** Bytes that an event takes in a batch besides its own: a bracket or a comma. */
export const BYTES_BETWEEN = 1;
/** Bytes of a batch that no event accounts for. */
export const BYTES_AROUND = 1;

/** Events of one or several calls that are sent in one request. */
export class Batch {
  /** Attempts that failed. */
  failures = 0;
  /** The attempt under way. */
  attempt: Attempt | undefined;
  /** Cancels the wait for the next attempt. */
  cancelWait: (() => void) | undefined;
  #events: readonly PendingEvent[];

  constructor(events: readonly PendingEvent[]) {
    this.#events = events;
    for (const event of events) event.batch = this;
  }

  /** The events whose outcome is open and whose callers still wait. */
  live(): readonly PendingEvent[] {
    if (!this.#events.every(({ isOpen }) => isOpen)) {
      this.#events = this.#events.filter(({ isOpen }) => isOpen);
    }
    return this.#events;
  }

  /** The calls that still wait, in the order of their events. */
  calls(): readonly Call[] {
    return [...new Set(this.live().map(({ call }) => call))];
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
      spans: this.calls().flatMap(({ span }) => span ?? []),
    };
  }

  /** A call no longer waits. If no other call waits either, the batch is cancelled. */
  leave(call: Call): void {
    const isAlone = this.live().every((event) => event.call === call);
    if (this.attempt?.mayArrive(isAlone)) {
      for (const event of this.#events) if (event.call === call) event.mayHaveArrived = true;
    }
    if (!isAlone) return;
    this.attempt?.cancel();
    this.cancelWait?.();
  }

  /** An attempt ended without a clear response. */
  markAmbiguous(): void {
    for (const event of this.live()) event.mayHaveArrived = true;
  }

  /** Splits the calls into two batches; `undefined` when there is only one call. */
  split(): readonly [Batch, Batch] | undefined {
    const calls = this.calls();
    if (calls.length < 2) return undefined;
    const first = new Set(calls.slice(0, Math.ceil(calls.length / 2)));
    const events = this.live();
    return [
      new Batch(events.filter(({ call }) => first.has(call))),
      new Batch(events.filter(({ call }) => !first.has(call))),
    ];
  }
}
