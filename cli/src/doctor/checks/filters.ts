import { applyFilter, type EventToFilter, furtherConditions, includedTypes } from "../filters.js";
import { type Finding, findings } from "../finding.js";

/** Whether the filter lets the binding's event types, and a given event, through. */
export function checkFilters(
  filter: unknown,
  eventTypes: readonly string[],
  event: EventToFilter | undefined,
): Finding[] {
  const finding = findings("filters");
  const types = includedTypes(filter);
  const known = new Set(types.map((type) => type.toLowerCase()));
  const excluded =
    types.length === 0 ? [] : eventTypes.filter((type) => !known.has(type.toLowerCase()));
  const further = furtherConditions(filter);
  const what = types.length === 0 ? "every type passes" : `the types ${types.join(", ")} pass`;
  const also = further.length > 0 ? `; events must also match: ${further.join("; ")}` : "";
  const summary =
    excluded.length === 0
      ? finding.ok(`${what}${also}`)
      : finding.failed(
          `the subscription's filter excludes ${excluded.join(", ")}; it includes ${types.join(", ")}`,
          "add the types to the binding's events and apply again",
        );
  return event === undefined ? [summary] : [summary, judgeEvent(filter, event)];
}

function judgeEvent(filter: unknown, event: EventToFilter): Finding {
  const finding = findings("filters");
  const { excluding, undecided } = applyFilter(filter, event);
  if (excluding.length > 0) {
    return finding.failed(
      `the event is excluded, because it does not match: ${excluding.join("; ")}`,
      "change the filter of the binding, or the event",
    );
  }
  if (undecided.length > 0) {
    return finding.note(
      `the event passes if it matches: ${undecided.join("; ")}`,
      "give the whole event with --event <file>",
    );
  }
  return finding.ok("the event passes");
}
