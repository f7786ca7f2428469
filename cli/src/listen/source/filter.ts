import { eventTypesOf } from "../../event-types.js";

export interface FilterFlags {
  readonly eventTypes?: readonly string[];
  readonly subjectBeginsWith?: string;
  readonly subjectEndsWith?: string;
}

/** Filters that were read, with a list of types that may be empty. */
export interface ReadFilter extends FilterFlags {
  readonly eventTypes: readonly string[];
}

/**
 * The filter that the options describe. Types may also be separated by commas.
 *
 * @throws {UsageError} for a type that an event subscription cannot have
 */
export function readFilter({ eventTypes = [], ...subject }: FilterFlags): ReadFilter {
  const types = eventTypes.flatMap((text) => text.split(",")).filter((type) => type !== "");
  return { ...subject, eventTypes: eventTypesOf("--event-types", types) };
}

/** The property `filter` of an event subscription. */
export function basicFilter({
  eventTypes: includedEventTypes,
  subjectBeginsWith,
  subjectEndsWith,
}: ReadFilter) {
  return {
    ...(includedEventTypes.length > 0 && { includedEventTypes }),
    ...(subjectBeginsWith !== undefined && { subjectBeginsWith }),
    ...(subjectEndsWith !== undefined && { subjectEndsWith }),
  };
}
