import type { AcceptedEvent, CloudEvent } from "../event.js";
import { type AdvancedFilter, compileAdvancedFilter } from "./advanced-filter.js";

/** Which of the scope's events a subscription wants; an event must pass every part. */
export interface EventFilter {
  /** Exact types, in any case. @default all */
  readonly includedEventTypes?: readonly string[] | undefined;
  /** @default any */
  readonly subjectBeginsWith?: string | undefined;
  /** @default any */
  readonly subjectEndsWith?: string | undefined;
  /** @default false */
  readonly isSubjectCaseSensitive?: boolean | undefined;
  /** Conditions on attributes and payload, 25 values in all. @default none */
  readonly advancedFilters?: readonly AdvancedFilter[] | undefined;
  /** Whether advanced filters look into arrays. @default false */
  readonly enableAdvancedFilteringOnArrays?: boolean | undefined;
}

export type EventPredicate = (event: AcceptedEvent, content: CloudEvent) => boolean;

/** Prepares a filter for many events. */
export function compileFilter(filter: EventFilter): EventPredicate {
  const included = filter.includedEventTypes?.map((type) => type.toLowerCase()) ?? [];
  // Older clients write the single entry "All" for no restriction.
  const types = included.length > 0 && !included.includes("all") ? new Set(included) : undefined;
  const fold = (text: string) => (filter.isSubjectCaseSensitive ? text : text.toLowerCase());
  const begin = fold(filter.subjectBeginsWith ?? "");
  const end = fold(filter.subjectEndsWith ?? "");
  const conditions = (filter.advancedFilters ?? []).map((each) =>
    compileAdvancedFilter(each, filter.enableAdvancedFilteringOnArrays ?? false),
  );
  return (event, content) => {
    if (types && !types.has(event.type.toLowerCase())) return false;
    const subject = fold(event.subject ?? "");
    if (!subject.startsWith(begin) || !subject.endsWith(end)) return false;
    return conditions.every((condition) => condition(content));
  };
}
