import { type Received, roundsIntegers } from "../events/envelope/index.js";
import { eventNames, isEnabled, type Log, MAX_LISTED } from "../observability.js";
import type { Clock } from "../time.js";
import { MINUTE_MS, SECOND_MS } from "../units.js";
import type { EventDelivery } from "./event-context.js";
import { isMalformed } from "./handle-events.js";
import type { HandlingMetrics } from "./telemetry.js";

const SUMMARY_INTERVAL_MS = MINUTE_MS;
/** Publishers choose types. */
const MAX_TYPES = 1_000;

/**
 * Deliveries in the log: at level "info" the first one, and then a summary a minute while there are
 * any; at level "debug" each of them. A line for each would cost as much as handling a small event.
 */
export class DeliveryLog {
  #isFirst = true;
  #summary: Summary | undefined;
  /** Types whose events were rounded. */
  readonly #rounded = new Set<string>();

  constructor(
    private readonly log: Log,
    private readonly timer: Clock,
  ) {}

  /**
   * Call it for each delivery that has ended well.
   *
   * @param outcomes of its events
   * @param fields what else its line has, if it gets one
   * @param log for its line
   */
  ended(
    outcomes: readonly string[],
    durationMs: number,
    fields: () => object,
    log = this.log,
  ): void {
    if (this.#isFirst) {
      this.#isFirst = false;
      log.info(lineOf(outcomes, durationMs, fields), "delivery");
      return;
    }
    if (isEnabled(log, "debug")) log.debug(lineOf(outcomes, durationMs, fields), "delivery");
    if (!isEnabled(this.log, "info")) return;
    this.#summary ??= {
      startedAtMs: this.timer.now(),
      cancel: this.timer.schedule(SUMMARY_INTERVAL_MS, () => this.close()),
      deliveries: 0,
      longestMs: 0,
      outcomes: {},
    };
    const summary = this.#summary;
    summary.deliveries += 1;
    summary.longestMs = Math.max(summary.longestMs, durationMs);
    addOutcomes(outcomes, summary.outcomes);
  }

  /** Call it for each delivery that Event Grid has to repeat, or that was refused. */
  failed(
    outcomes: readonly string[],
    durationMs: number,
    fields: () => object,
    log = this.log,
  ): void {
    log.warn(lineOf(outcomes, durationMs, fields), "delivery");
  }

  /** Warns of integers that `JSON.parse` has rounded, once for each type of event. */
  warnOfRounded(
    received: readonly Received[],
    texts: Pick<EventDelivery, "jsonOf">,
    log = this.log,
  ): void {
    for (const [index, element] of received.entries()) {
      if (isMalformed(element) || !element.hasLargeNumber) continue;
      const { event } = element;
      if (this.#rounded.has(event.type) || this.#rounded.size === MAX_TYPES) continue;
      if (!roundsIntegers(String(texts.jsonOf(index)))) continue;
      this.#rounded.add(event.type);
      const line = { event: eventNames(event) };
      log.warn(line, "integers beyond 2^53 were rounded: context.json has the exact text");
    }
  }

  /** Writes what no summary contains yet. */
  close(): void {
    if (this.#summary === undefined) return;
    const { cancel, startedAtMs, deliveries, outcomes, longestMs } = this.#summary;
    this.#summary = undefined;
    cancel();
    const seconds = Math.round((this.timer.now() - startedAtMs) / SECOND_MS);
    this.log.info({ deliveries, outcomes, longestMs: rounded(longestMs), seconds }, "deliveries");
  }
}

/** The deliveries of a minute. */
interface Summary {
  readonly startedAtMs: number;
  readonly cancel: () => void;
  readonly outcomes: Record<string, number>;
  deliveries: number;
  longestMs: number;
}

function lineOf(outcomes: readonly string[], durationMs: number, fields: () => object): object {
  return { ...fields(), outcomes: countOutcomes(outcomes), ms: rounded(durationMs) };
}

/** A single event's outcome, or for a batch the number of events by outcome. */
function countOutcomes(outcomes: readonly string[]): string | Record<string, number> | undefined {
  return outcomes.length < 2 ? outcomes[0] : addOutcomes(outcomes, {});
}

function addOutcomes(outcomes: readonly string[], counts: Record<string, number>) {
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/**
 * Logs in one line which events are not CloudEvents, and in another which of them have flaws, and
 * counts the latter. Returns the events.
 */
export function logProblems(
  events: readonly Received[],
  log: Log,
  metrics: HandlingMetrics,
): readonly Received[] {
  if (!events.some(hasProblems)) return events;
  const malformed: object[] = [];
  const flawed: object[] = [];
  for (const [index, event] of events.entries()) {
    if (isMalformed(event))
      malformed.push({ index, problems: event.problems.slice(0, MAX_LISTED) });
    else if (event.flaws.length > 0) {
      flawed.push({ index, flaws: event.flaws.slice(0, MAX_LISTED) });
    }
  }
  if (malformed.length > 0) log.warn(fieldsOf("malformed", malformed), "not a CloudEvent");
  if (flawed.length > 0) {
    metrics.flawedEvents(flawed.length);
    log.warn(fieldsOf("flawed", flawed), "event does not conform to CloudEvents");
  }
  return events;
}

function hasProblems(event: Received): boolean {
  return isMalformed(event) || event.flaws.length > 0;
}

/** For a single event the fields of the log line; for several, a list of the first ten. */
function fieldsOf(name: "malformed" | "flawed", lines: readonly object[]): object {
  const [only] = lines;
  if (only !== undefined && lines.length === 1) return only;
  return { [name]: lines.length, events: lines.slice(0, MAX_LISTED) };
}
