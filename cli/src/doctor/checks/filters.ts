import {
  applyFilter,
  BLOB_SUBJECT,
  type EventToFilter,
  filterConditions,
  impliedBy,
  includedTypes,
  passesNever,
  withDefaultTypes,
} from "../../rules/filters/index.js";
import { Doubt, sourceAt, UNKNOWN, type World } from "../../rules/index.js";
import { type Finding, type Findings, findings } from "../finding.js";

/** Whether the filter lets the binding's event types, and a given event, through. */
export async function checkFilters(
  world: World,
  given: unknown,
  scope: string,
  eventTypes: readonly string[],
  event: EventToFilter | undefined,
): Promise<Findings> {
  const finding = findings("filters");
  const found = await sourceAt(world, scope);
  const source = found instanceof Doubt ? undefined : found;
  const filter = withDefaultTypes(Object(given), source);
  if (filter.includedEventTypes === UNKNOWN) {
    const message = "the filter names no types, and it is not known which Azure sends by default";
    return finding.unknown(message, "name the types in the binding's events and apply again");
  }
  const problems = judgeTypes(filter, eventTypes, source);
  const included = includedTypes(filter);
  const further = textsOf(filter, "further");
  const what =
    included.length === 0 ? "every type passes" : `the types ${included.join(", ")} pass`;
  const also = further.length > 0 ? `; events must also match: ${further.join("; ")}` : "";
  return [
    ...(problems.length > 0 ? problems : [finding.ok(`${what}${also}`)]),
    ...(event === undefined ? [] : [judgeEvent(filter, event)]),
  ];
}

function judgeTypes(
  filter: unknown,
  eventTypes: readonly string[],
  source: string | undefined,
): Finding[] {
  const finding = findings("filters");
  const included = includedTypes(filter);
  const isNever = (type?: string) => passesNever(filter, type, source);
  if (included.length > 0 ? included.every(isNever) : isNever()) {
    const isBlob = included.some((type) => impliedBy(type, source).length > 0);
    return [
      finding.failed(
        `no event passes, because none matches all conditions: ${textsOf(filter).join("; ")}`,
        isBlob
          ? `subjects of blobs begin with ${BLOB_SUBJECT}: change the filter of the binding and apply again`
          : "change the filter of the binding and apply again",
      ),
    ];
  }
  const names = new Set(included.map((type) => type.toLowerCase()));
  const isIncluded = (type: string) => names.size === 0 || names.has(type.toLowerCase());
  const missing = eventTypes.filter((type) => !isIncluded(type));
  const excluded = eventTypes.filter(isIncluded).flatMap((type) => {
    const { excluding } = applyFilter(filter, { attributes: { type }, isPartial: true });
    const isOther = excluding.length === 0 && isNever(type);
    const conditions = isOther ? textsOf(filter, "further") : excluding;
    return conditions.length === 0 ? [] : [{ type, conditions }];
  });
  return [
    ...(missing.length === 0
      ? []
      : [
          finding.failed(
            `the subscription's filter excludes ${missing.join(", ")}; it includes ${included.join(", ")}`,
            "add the types to the binding's events and apply again",
          ),
        ]),
    ...excluded.map(({ type, conditions }) =>
      finding.failed(
        `the subscription's filter excludes ${type}, because it does not match: ${conditions.join("; ")}`,
        "change the filter of the binding and apply again",
      ),
    ),
  ];
}

/** The conditions of a filter, or those besides the list of types. */
function textsOf(filter: unknown, which: "all" | "further" = "all"): string[] {
  return filterConditions(filter)
    .filter(({ from }) => which === "all" || from !== "types")
    .map(({ text }) => text);
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
    return finding.unknown(
      `the event passes if it matches: ${undecided.join("; ")}`,
      event.isPartial ? "give the whole event with --event <file>" : "compare the event with it",
    );
  }
  return finding.ok("the event passes");
}
