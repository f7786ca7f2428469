/** Which events to receive. */
export interface FilterFlags {
  readonly eventTypes?: readonly string[];
  readonly subjectBeginsWith?: string;
  readonly subjectEndsWith?: string;
}

/** The property `filter` of an event subscription. */
export function basicFilter({ subjectBeginsWith, subjectEndsWith, ...flags }: FilterFlags) {
  const includedEventTypes = typesOf(flags);
  return {
    ...(includedEventTypes.length > 0 && { includedEventTypes }),
    ...(subjectBeginsWith !== undefined && { subjectBeginsWith }),
    ...(subjectEndsWith !== undefined && { subjectEndsWith }),
  };
}

/** The property `filtersConfiguration` of an event subscription of a namespace. */
export function namespaceFilter({ subjectBeginsWith, subjectEndsWith, ...flags }: FilterFlags) {
  const includedEventTypes = typesOf(flags);
  const onSubject = (operatorType: string, value: string | undefined) =>
    value === undefined ? [] : [{ operatorType, key: "subject", values: [value] }];
  return {
    ...(includedEventTypes.length > 0 && { includedEventTypes }),
    filters: [
      ...onSubject("StringBeginsWith", subjectBeginsWith),
      ...onSubject("StringEndsWith", subjectEndsWith),
    ],
  };
}

/** The types, which may also be separated by commas. */
function typesOf({ eventTypes = [] }: FilterFlags): string[] {
  return eventTypes.flatMap((text) => text.split(",")).filter((type) => type !== "");
}
