import { field, listAt, textAt } from "../../base/index.js";
import type { AcceptedEvent, DeliverySchema, EventContent } from "../events/index.js";
import {
  compileAdvancedFilter,
  type FilterCondition,
  isCondition,
  problemOf,
  valuesOf,
} from "./advanced-filter.js";

/** Selects events of the scope; an event must match every condition. */
export interface EventFilter {
  /** Exact types, compared case-insensitively. @default all */
  readonly includedEventTypes?: readonly string[] | undefined;
  /** @default any */
  readonly subjectBeginsWith?: string | undefined;
  /** @default any */
  readonly subjectEndsWith?: string | undefined;
  /** @default false */
  readonly isSubjectCaseSensitive?: boolean | undefined;
  /** Conditions on attributes and data, with 25 values in total. @default none */
  readonly advancedFilters?: readonly FilterCondition[] | undefined;
  /** Whether advanced filters compare elements of arrays. @default false */
  readonly enableAdvancedFilteringOnArrays?: boolean | undefined;
}

/** Reads the checked property `filter`. */
export function filterIn(filter: unknown): EventFilter {
  const types = field(filter, "includedEventTypes");
  return {
    includedEventTypes: Array.isArray(types) ? types.map(String) : undefined,
    subjectBeginsWith: textAt(filter, "subjectBeginsWith"),
    subjectEndsWith: textAt(filter, "subjectEndsWith"),
    isSubjectCaseSensitive: field(filter, "isSubjectCaseSensitive") === true,
    advancedFilters: listAt(filter, "advancedFilters").filter(isCondition),
    enableAdvancedFilteringOnArrays: field(filter, "enableAdvancedFilteringOnArrays") === true,
  };
}

/** Returns the condition that an event fails; `undefined` if the event matches. */
export type FailedCondition = (event: AcceptedEvent, content: EventContent) => string | undefined;

/**
 * Compiles a filter to a function.
 *
 * @param deliverySchema the schema in which the subscription gets its events. @default CloudEvents
 */
export function compileFilter(
  filter: EventFilter,
  deliverySchema: DeliverySchema = "CloudEventSchemaV1_0",
): FailedCondition {
  const included = filter.includedEventTypes?.map((type) => type.toLowerCase()) ?? [];
  // Older clients write the single entry "All" instead of leaving the types out.
  const types = included.length > 0 && !included.includes("all") ? new Set(included) : undefined;
  const fold = (text: string) => (filter.isSubjectCaseSensitive ? text : text.toLowerCase());
  const begin = fold(filter.subjectBeginsWith ?? "");
  const end = fold(filter.subjectEndsWith ?? "");
  const conditions = (filter.advancedFilters ?? []).map((each) => ({
    matches: compileAdvancedFilter(
      each,
      filter.enableAdvancedFilteringOnArrays ?? false,
      deliverySchema === "EventGridSchema",
    ),
    text: conditionText(each),
  }));
  return (event, content) => {
    if (types && !types.has(event.type.toLowerCase())) return "includedEventTypes";
    const subject = fold(event.subject ?? "");
    if (!subject.startsWith(begin)) return `subjectBeginsWith "${filter.subjectBeginsWith}"`;
    if (!subject.endsWith(end)) return `subjectEndsWith "${filter.subjectEndsWith}"`;
    return conditions.find(({ matches }) => !matches(content))?.text;
  };
}

/** For example `data.total NumberGreaterThan 100`. */
function conditionText(filter: FilterCondition): string {
  const { key, operatorType } = filter;
  const operand = "values" in filter ? filter.values : "value" in filter ? filter.value : undefined;
  return `${key} ${operatorType}${operand === undefined ? "" : ` ${JSON.stringify(operand)}`}`;
}

const MAX_VALUES = 25;

/** Everything that the service would refuse in a filter, which may come from untyped JSON. */
export function* filterProblems({ advancedFilters = [] }: EventFilter): Generator<string> {
  const counts = advancedFilters.map((each) => Math.max(1, valuesOf(each).length));
  const count = counts.reduce((sum, each) => sum + each, 0);
  if (count > MAX_VALUES) {
    yield `Advanced filters may have ${MAX_VALUES} values in total, not ${count}.`;
  }
  for (const [index, filter] of advancedFilters.entries()) {
    const problem = problemOf(filter);
    if (problem) yield `advancedFilters[${index}] is invalid: ${problem}.`;
  }
}
