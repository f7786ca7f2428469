import { UNKNOWN } from "./event-filter.js";

type Attributes = Readonly<Record<string, unknown>>;

/**
 * The filter of an event subscription of the provider azurerm, in a plan or a synthesized stack, as
 * Resource Manager has it.
 */
export function azurermFilter(attributes: Attributes): Record<string, unknown> {
  const [subject = {}] = blocksOf(attributes.subject_filter);
  const [advanced = {}] = blocksOf(attributes.advanced_filter);
  const of = (name: string) => (subject === UNKNOWN ? UNKNOWN : subject[name]);
  return {
    includedEventTypes: attributes.included_event_types ?? [],
    subjectBeginsWith: of("subject_begins_with"),
    subjectEndsWith: of("subject_ends_with"),
    isSubjectCaseSensitive: of("case_sensitive"),
    enableAdvancedFilteringOnArrays: attributes.advanced_filtering_on_arrays_enabled,
    advancedFilters: advanced === UNKNOWN ? UNKNOWN : advancedFilters(advanced),
  };
}

/** The blocks of one kind, which JSON may have as a list or as a single object. */
export function blocksOf(value: unknown): (Attributes | typeof UNKNOWN)[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter(
    (block): block is Attributes | typeof UNKNOWN =>
      block === UNKNOWN || (typeof block === "object" && block !== null),
  );
}

/** `number_in` is `NumberIn`. */
function advancedFilters(advanced: Attributes): unknown[] {
  return Object.entries(advanced).flatMap(([name, conditions]) => {
    const operatorType = name.replace(/(?:^|_)([a-z])/g, (_, letter: string) =>
      letter.toUpperCase(),
    );
    return blocksOf(conditions).map((condition) =>
      condition === UNKNOWN ? UNKNOWN : { ...condition, operatorType },
    );
  });
}
