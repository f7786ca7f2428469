/** The source of a simulated event. */
export interface SourceContext {
  /** The resource ID as the caller wrote it. */
  readonly id: string;
  /** The last segment of the ID. */
  readonly name: string;
  /** ISO 8601. */
  readonly time: string;
  /** A new UUID for each call. */
  readonly newId: () => string;
}

/** The content of a simulated event. */
export interface Sample {
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export type SampleOf = (source: SourceContext) => Sample;

/** The events of one kind of resource. */
export interface EventFamily<Type extends string = string> {
  /** Namespace and type, as in the resource ID. */
  readonly resourceType: string;
  /** Samples by event type. */
  readonly samples: Readonly<Record<Type, SampleOf>>;
  /** The `source` attribute. @default the resource ID unchanged */
  readonly sourceOf?: (resourceId: string) => string;
}

/** Keeps the literal event types, which a type annotation would widen. */
export function family<Type extends string>(events: EventFamily<Type>): EventFamily<Type> {
  return events;
}
