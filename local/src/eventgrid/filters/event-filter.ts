import type { AcceptedEvent, CloudEvent } from "../event.js";

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
}

export type EventPredicate = (event: AcceptedEvent, content: () => CloudEvent) => boolean;

/** Prepares a filter for many events. */
export function compileFilter(filter: EventFilter): EventPredicate {
  const types = filter.includedEventTypes?.length
    ? new Set(filter.includedEventTypes.map((type) => type.toLowerCase()))
    : undefined;
  const fold = (text: string) => (filter.isSubjectCaseSensitive ? text : text.toLowerCase());
  const begin = fold(filter.subjectBeginsWith ?? "");
  const end = fold(filter.subjectEndsWith ?? "");
  return (event) => {
    if (types && !types.has(event.type.toLowerCase())) return false;
    const subject = fold(event.subject ?? "");
    return subject.startsWith(begin) && subject.endsWith(end);
  };
}
