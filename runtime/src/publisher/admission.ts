import type { Submission } from "./submission.js";

/** How much may be on its way at a time. */
export interface AdmissionLimits {
  readonly maxEvents: number;
  readonly maxBytes: number;
}

/**
 * Bounds what the publisher holds: calls beyond it wait, in their order. A call that is larger than
 * all of it is let in when nothing else is there.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #waiting: { readonly submission: Submission; readonly enter: () => void }[] = [];
  #calls = 0;
  #events = 0;
  #bytes = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  /** Whether a call would have to wait. */
  isFullFor(submission: Submission): boolean {
    return this.#waiting.length > 0 || !this.#hasRoomFor(submission);
  }

  /** @param enter called as soon as there is room, which may be at once */
  admit(submission: Submission, enter: () => void): void {
    if (this.isFullFor(submission)) this.#waiting.push({ submission, enter });
    else this.#let(submission, enter);
  }

  /** A call is settled: it makes room. */
  leave(submission: Submission): void {
    if (submission.isAdmitted) {
      submission.isAdmitted = false;
      this.#calls -= 1;
      this.#events -= submission.events.length;
      this.#bytes -= submission.bytes;
    }
    if (this.#waiting.length > 0) this.#letNextIn();
  }

  #letNextIn(): void {
    let next = this.#waiting[0];
    while (next !== undefined && (next.submission.settled || this.#hasRoomFor(next.submission))) {
      this.#waiting.shift();
      if (!next.submission.settled) this.#let(next.submission, next.enter);
      next = this.#waiting[0];
    }
  }

  #hasRoomFor(submission: Submission): boolean {
    if (this.#calls === 0) return true;
    const { maxEvents, maxBytes } = this.#limits;
    const events = this.#events + submission.events.length;
    return events <= maxEvents && this.#bytes + submission.bytes <= maxBytes;
  }

  #let(submission: Submission, enter: () => void): void {
    submission.isAdmitted = true;
    this.#calls += 1;
    this.#events += submission.events.length;
    this.#bytes += submission.bytes;
    enter();
  }
}
