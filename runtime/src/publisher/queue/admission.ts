import { Fifo } from "../../collections/index.js";
import type { PublisherSettings } from "../settings/index.js";
import type { Call } from "./call.js";

/**
 * Limits what the queue holds. Calls beyond the limits wait, in their order. A call that exceeds them
 * by itself is admitted when the queue is empty.
 */
export class Admission {
  readonly #waiting = new Fifo<Call>();
  #events = 0;
  #bytes = 0;
  #isEntering = false;

  /** @param enter called with each call as soon as there is room for it */
  constructor(
    private readonly limits: PublisherSettings["limits"],
    private readonly enter: (call: Call) => void,
  ) {}

  /** Whether a call would have to wait. */
  isFullFor(call: Call): boolean {
    return this.#waiting.length > 0 || !this.#hasRoomFor(call);
  }

  /** Lets a call enter as soon as there is room, which may be immediately. */
  admit(call: Call): void {
    if (this.isFullFor(call)) this.#waiting.push(call);
    else this.#admit(call);
  }

  /** Releases the room of a settled call. */
  release(call: Call): void {
    if (call.isAdmitted) {
      call.isAdmitted = false;
      this.#events -= call.events.length;
      this.#bytes -= call.bytes;
    }
    // A call that enters may fail at once and release its room: the loop goes on with the next.
    if (this.#isEntering) return;
    this.#isEntering = true;
    let next = this.#waiting.first;
    while (next !== undefined && (next.isSettled || this.#hasRoomFor(next))) {
      this.#waiting.shift();
      if (!next.isSettled) this.#admit(next);
      next = this.#waiting.first;
    }
    this.#isEntering = false;
  }

  #hasRoomFor(call: Call): boolean {
    if (this.#events === 0) return true;
    const { bufferedEvents, bufferedBytes } = this.limits;
    return (
      this.#events + call.events.length <= bufferedEvents &&
      this.#bytes + call.bytes <= bufferedBytes
    );
  }

  #admit(call: Call): void {
    call.isAdmitted = true;
    this.#events += call.events.length;
    this.#bytes += call.bytes;
    this.enter(call);
  }
}
