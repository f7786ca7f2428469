import { countOutcomes, type Outcome } from "../../handling/index.js";
import type { Log } from "../../log.js";
import type { Timer } from "../../timer.js";

/** The events of one response, which share a line in the log. */
export class PulledBatch {
  readonly #timer: Timer;
  readonly #outcomes: Outcome[] = [];
  #released = 0;
  readonly receivedAtMs: number;
  readonly subscriptionKey: string;

  constructor(
    readonly subscriptionName: string,
    readonly size: number,
    readonly log: Log,
    timer: Timer,
  ) {
    this.#timer = timer;
    this.receivedAtMs = timer.now();
    this.subscriptionKey = subscriptionName.toLowerCase();
  }

  /** Call it once for each event, with its outcome. Logs the batch when it is complete. */
  ended(outcome: Outcome | "released"): void {
    if (outcome === "released") this.#released += 1;
    else this.#outcomes.push(outcome);
    if (this.#outcomes.length + this.#released < this.size) return;
    const line = {
      subscription: this.subscriptionName,
      events: this.size,
      outcomes: countOutcomes(this.#outcomes),
      ...(this.#released > 0 && { released: this.#released }),
      ms: Math.round((this.#timer.now() - this.receivedAtMs) * 10) / 10,
    };
    this.log.info(line, "delivery");
  }
}
