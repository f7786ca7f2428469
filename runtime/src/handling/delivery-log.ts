import type { Log } from "../log.js";
import type { Timer } from "../timer.js";

const SUMMARY_INTERVAL_MS = 60_000;

/**
 * Deliveries in the log: at level "info" the first one, and then a summary a minute while there are
 * any; at level "debug" each of them. A line for each would cost as much as handling a small event.
 */
export class DeliveryLog {
  readonly #log: Log;
  readonly #timer: Timer;
  #isFirst = true;
  #summary: Summary | undefined;

  constructor(log: Log, timer: Timer) {
    this.#log = log;
    this.#timer = timer;
  }

  /**
   * Call it for each delivery that has ended.
   *
   * @param outcomes of its events
   * @param fields what else its line has
   * @param log for its line
   */
  ended(outcomes: readonly string[], durationMs: number, fields: object, log = this.#log): void {
    const line = { ...fields, outcomes: countOutcomes(outcomes), ms: rounded(durationMs) };
    if (this.#isFirst) {
      this.#isFirst = false;
      log.info(line, "delivery");
      return;
    }
    log.debug(line, "delivery");
    this.#summary ??= new Summary(this.#timer, () => this.close());
    this.#summary.add(outcomes, durationMs);
  }

  /** Writes what no summary contains yet. */
  close(): void {
    if (this.#summary !== undefined) this.#log.info(this.#summary.end(), "deliveries");
    this.#summary = undefined;
  }
}

/** The deliveries of a minute. */
class Summary {
  readonly #timer: Timer;
  readonly #startedAtMs: number;
  readonly #cancel: () => void;
  readonly #outcomes: Record<string, number> = {};
  #deliveries = 0;
  #longestMs = 0;

  constructor(timer: Timer, whenDue: () => void) {
    this.#timer = timer;
    this.#startedAtMs = timer.now();
    this.#cancel = timer.schedule(SUMMARY_INTERVAL_MS, whenDue);
  }

  add(outcomes: readonly string[], durationMs: number): void {
    this.#deliveries += 1;
    this.#longestMs = Math.max(this.#longestMs, durationMs);
    addOutcomes(outcomes, this.#outcomes);
  }

  /** @returns the fields of its line */
  end(): object {
    this.#cancel();
    return {
      deliveries: this.#deliveries,
      outcomes: this.#outcomes,
      longestMs: rounded(this.#longestMs),
      seconds: Math.round((this.#timer.now() - this.#startedAtMs) / 1_000),
    };
  }
}

/** A single event's outcome, or for a batch the number of events by outcome. */
export function countOutcomes(
  outcomes: readonly string[],
): string | Record<string, number> | undefined {
  return outcomes.length < 2 ? outcomes[0] : addOutcomes(outcomes, {});
}

function addOutcomes(outcomes: readonly string[], counts: Record<string, number>) {
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
