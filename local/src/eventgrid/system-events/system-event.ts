import { LocalCloudError } from "../../base/index.js";

/** The source of a simulated event. */
export interface SourceContext {
  /** The resource ID as the caller wrote it. */
  readonly id: string;
  /** The last segment of the ID. */
  readonly name: string;
  /** ISO 8601. */
  readonly time: string;
  readonly type: string;
  /** The subject that the caller chose. */
  readonly subject: string | undefined;
  /** Whether the caller passes data, which replaces that of the sample. */
  readonly hasData: boolean;
  /** Grows with each event. */
  readonly sequence: number;
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
  /** Namespace and type, as in the resource ID. @default a subscription or a resource group */
  readonly resourceType?: string;
  /** Samples by event type. */
  readonly samples: Readonly<Record<Type, SampleOf>>;
  /** The types that a subscription without `includedEventTypes` gets. @default all */
  readonly defaultTypes?: readonly NoInfer<Type>[];
  /** The `source` attribute. @default the resource ID unchanged */
  readonly sourceOf?: (resourceId: string) => string;
}

/**
 * What a subject names, for example container and blob, so that the data names the same.
 *
 * @param usual the subject if the caller chose none
 * @param form has a group for each part
 * @throws LocalCloudError `ERR_SYSTEM_EVENT` if the subject has another form, from which no data can
 * be derived
 */
export function partsOfSubject(
  { type, subject, hasData }: SourceContext,
  usual: string,
  form: RegExp,
): (string | undefined)[] {
  const match = form.exec(subject ?? usual) ?? (hasData ? form.exec(usual) : null);
  if (match) return match.slice(1);
  throw new LocalCloudError(
    "ERR_SYSTEM_EVENT",
    `The subject '${subject}' does not fit ${type}, whose subjects look like '${usual}'. Use such a subject, or pass data as well.`,
  );
}

/** Keeps the literal event types, which a type annotation would widen. */
export function family<Type extends string>(events: EventFamily<Type>): EventFamily<Type> {
  return events;
}
