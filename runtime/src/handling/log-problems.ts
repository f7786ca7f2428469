import type { Received } from "../events/envelope/index.js";
import { type Log, MAX_LISTED } from "../log.js";
import { isMalformed } from "./handle-events.js";
import type { HandlingMetrics } from "./handling-metrics.js";

/**
 * Logs in one line which events are not CloudEvents, and in another which of them have flaws, and
 * counts the latter. Returns the events.
 */
export function logProblems(
  events: readonly Received[],
  log: Log,
  metrics: Pick<HandlingMetrics, "flawedEvents">,
): readonly Received[] {
  if (!events.some(hasProblems)) return events;
  const malformed = listed(events, (event) => (isMalformed(event) ? event.problems : []));
  if (malformed.length > 0) {
    const lines = malformed.map(({ index, messages }) => ({ index, problems: messages }));
    log.warn(fieldsOf("malformed", lines), "not a CloudEvent");
  }
  const flawed = listed(events, (event) => (isMalformed(event) ? [] : event.flaws));
  if (flawed.length > 0) {
    metrics.flawedEvents(flawed.length);
    const lines = flawed.map(({ index, messages }) => ({ index, flaws: messages }));
    log.warn(fieldsOf("flawed", lines), "event does not conform to CloudEvents");
  }
  return events;
}

function hasProblems(event: Received): boolean {
  return isMalformed(event) || event.flaws.length > 0;
}

function listed(
  events: readonly Received[],
  select: (event: Received) => readonly string[],
): { readonly index: number; readonly messages: readonly string[] }[] {
  return events.flatMap((event, index) => {
    const messages = select(event);
    return messages.length === 0 ? [] : [{ index, messages: messages.slice(0, MAX_LISTED) }];
  });
}

/** For a single event the fields of the log line; for several, a list of the first ten. */
function fieldsOf(name: "malformed" | "flawed", lines: readonly object[]): object {
  const [only] = lines;
  if (only !== undefined && lines.length === 1) return only;
  return { [name]: lines.length, events: lines.slice(0, MAX_LISTED) };
}
