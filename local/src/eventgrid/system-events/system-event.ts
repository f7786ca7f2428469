/** What is known of a source when one of its events is made up. */
export interface SourceContext {
  /** Its resource ID as the caller wrote it. */
  readonly id: string;
  /** The last part of the ID. */
  readonly name: string;
  /** ISO 8601. */
  readonly time: string;
  /** A fresh UUID at each call. */
  readonly newId: () => string;
}

/** An event as its source would send it. */
export interface Sample {
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export type SampleOf = (source: SourceContext) => Sample;

/** The events of one kind of resource. */
export interface EventFamily<Type extends string = string> {
  /** Namespace and type of the resource, as in its ID. */
  readonly resourceType: string;
  /** By the events' types. */
  readonly samples: Readonly<Record<Type, SampleOf>>;
  /** What the `source` attribute says. @default the resource ID as it is */
  readonly sourceOf?: (resourceId: string) => string;
}

/** Keeps the types' names, which a plain annotation would widen. */
export function family<Type extends string>(events: EventFamily<Type>): EventFamily<Type> {
  return events;
}
