import type { Exchange } from "./exchange.js";
import type { PendingEvent, Submission } from "./submission.js";

/** Bytes that a batch needs for an event, besides those of the event: a bracket or a comma. */
export const BYTES_BETWEEN = 1;
/** Bytes of an empty batch that no event accounts for. */
export const BYTES_AROUND = 1;

/** Events that go in one request, of one or several `create` calls. */
export class Batch {
  /** Attempts that ended without success. */
  failures = 0;
  /** Whether a refused key or token was renewed for it already. */
  renewed = false;
  /** Ends the attempt under way, or the wait for the next; set by whoever runs it. */
  cancel: (() => void) | undefined;
  /** The attempt under way, until what became of it is told to the callers. */
  exchange: Exchange | undefined;
  #events: readonly PendingEvent[];

  constructor(events: readonly PendingEvent[]) {
    this.#events = events;
    for (const event of events) event.batch = this;
  }

  /** The events whose fate is open and whose callers still wait. */
  live(): readonly PendingEvent[] {
    if (!this.#events.every(({ isOpen }) => isOpen)) {
      this.#events = this.#events.filter(({ isOpen }) => isOpen);
    }
    return this.#events;
  }

  /** The callers who still wait, in the order of their events. */
  callers(): readonly Submission[] {
    return [...new Set(this.live().map(({ submission }) => submission))];
  }

  /** A caller no longer waits; without any, there is no reason to go on. */
  giveUp(caller: Submission): void {
    const isAlone = this.callers().every((submission) => submission === caller);
    if (this.exchange?.mayArrive(isAlone)) {
      for (const event of this.#events) {
        if (event.submission === caller) event.mayHaveArrived = true;
      }
    }
    if (isAlone) this.cancel?.();
  }

  /** It was sent without a clear answer. */
  mayHaveArrived(): void {
    for (const event of this.live()) event.mayHaveArrived = true;
  }

  /** The array of events, as it goes over the wire. */
  body(): Buffer {
    const events = this.live().map(({ event }) => event.json);
    return Buffer.from(`[${events.join(",")}]`);
  }

  /** Two batches with half of the callers each, or `undefined` when there is one caller only. */
  takenApart(): readonly [Batch, Batch] | undefined {
    const callers = this.callers();
    if (callers.length < 2) return undefined;
    const first = new Set(callers.slice(0, Math.ceil(callers.length / 2)));
    const events = this.live();
    this.dissolve();
    return [
      new Batch(events.filter(({ submission }) => first.has(submission))),
      new Batch(events.filter(({ submission }) => !first.has(submission))),
    ];
  }

  /** Its events are settled, or in other batches. */
  dissolve(): void {
    for (const event of this.#events) event.batch = undefined;
  }
}
