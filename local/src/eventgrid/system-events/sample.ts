import { LocalCloudError } from "../../base/index.js";

/**
 * A simulated event. Braces in its texts stand for what differs from event to event: `{id}` and `{name}`
 * of the resource, `{subscriptionId}`, `{time}`, `{timePath}`, `{subject}`, `{sequence}`, `{sequencer}`,
 * a new `{uuid}`, and the parts of the subject.
 */
export interface Sample {
  readonly subject: string;
  /** Names the parts of the subject in its groups, so that the data can name the same. @default any subject */
  readonly form?: RegExp;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The events of one kind of resource. */
export interface EventFamily<Type extends string = string> {
  /** Namespace and type, as in the resource ID. @default a subscription or a resource group */
  readonly resourceType?: string;
  /** By event type; of several, that whose form the subject has, or the first. */
  readonly samples: Readonly<Record<Type, Sample | readonly [Sample, ...Sample[]]>>;
  /** The types that a subscription without `includedEventTypes` gets. @default all */
  readonly defaultTypes?: readonly NoInfer<Type>[];
  /** The `source` attribute. @default the resource ID unchanged */
  readonly sourceOf?: (resourceId: string) => string;
}

/** What a simulated event is to contain. */
export interface SampleSource {
  readonly type: string;
  /** The subject that the caller chose. */
  readonly subject: string | undefined;
  /** Whether the caller passes data, which replaces that of the sample. */
  readonly hasData: boolean;
  readonly values: Readonly<Record<string, string>>;
  /** A new UUID for each call. */
  readonly newId: () => string;
}

/**
 * The sample with everything filled in.
 *
 * @throws LocalCloudError `ERR_SYSTEM_EVENT` if the subject has another form, from which no data can
 * be derived
 */
export function filledSample(
  samples: Sample | readonly [Sample, ...Sample[]],
  { type, subject: chosen, hasData, values, newId }: SampleSource,
): Sample {
  const all = "data" in samples ? ([samples] as const) : samples;
  const [usual] = all;
  const usualSubject = filled(usual.subject, values, newId);
  const subject = chosen ?? usualSubject;
  const sample =
    all.find(({ form }) => form?.test(subject) ?? true) ?? (hasData ? usual : undefined);
  if (!sample) {
    throw new LocalCloudError(
      "ERR_SYSTEM_EVENT",
      `The subject '${subject}' does not fit ${type}, whose subjects look like '${usualSubject}'. Use such a subject, or pass data as well.`,
    );
  }
  const parts = sample.form?.exec(subject) ?? sample.form?.exec(usualSubject);
  const known = { ...values, subject, ...parts?.groups };
  const data = JSON.parse(JSON.stringify(sample.data), (_, value: unknown) =>
    typeof value === "string" ? filled(value, known, newId) : value,
  );
  return { subject, data };
}

/** Values in a URL are encoded. */
function filled(text: string, values: Readonly<Record<string, string>>, newId: () => string) {
  const encoded = text.startsWith("https://") ? encodeURI : String;
  return text.replace(/\{(\w+)\}/g, (braces, name) =>
    name === "uuid" ? newId() : encoded(values[name] ?? braces),
  );
}
