import { randomUUID } from "node:crypto";
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

/** Matches subjects in any case by their parts, of which `{path}` may contain slashes. */
export function subjectForm(subject: string): RegExp {
  const parts = subject.replace(/\{(\w*)\}/g, "(?<$1>[^/]+)").replace("<path>[^/]", "<path>.");
  return new RegExp(`^${parts}$`, "i");
}

/** A sample of the SDK's, with what it comes from. */
export interface SdkSample extends Sample {
  /** Namespace and type of the resource; a subscription or resource group without one. */
  readonly resourceType?: string;
}

/** The words of a text. */
type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}`
  ? Word | Words<Rest>
  : Text;

/** Keeps the literal event types. A key has all types, with a space between them, of its sample. */
export function samplesOf<Types extends string>(
  samples: Readonly<Record<Types, SdkSample>>,
): Readonly<Record<Words<Types>, SdkSample>> {
  const all = Object.entries<SdkSample>(samples).flatMap(([types, sample]) =>
    types.split(" ").map((type) => [type, sample]),
  );
  return Object.fromEntries(all);
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

type Values = Readonly<Record<string, string>>;

/**
 * The sample with everything filled in.
 *
 * @param chosen the subject and the data that the caller has chosen; such data replaces the sample's
 * @throws LocalCloudError `ERR_SYSTEM_EVENT` if the subject has another form, from which no data can
 * be derived
 */
export function filledSample(
  type: string,
  samples: Sample | readonly [Sample, ...Sample[]],
  chosen: { readonly subject?: string | undefined; readonly data?: object | undefined },
  values: Values,
): Sample {
  const all = "data" in samples ? ([samples] as const) : samples;
  const [usual] = all;
  const usualSubject = filled(usual.subject, values);
  const subject = chosen.subject ?? usualSubject;
  const fitting = all.find(({ form }) => form?.test(subject) ?? true);
  const sample = fitting ?? (chosen.data && usual);
  if (!sample) {
    throw new LocalCloudError(
      "ERR_SYSTEM_EVENT",
      `The subject '${subject}' does not fit ${type}, whose subjects look like '${usualSubject}'. Use such a subject, or pass data as well.`,
    );
  }
  const parts = sample.form?.exec(subject) ?? sample.form?.exec(usualSubject);
  const known = { ...values, subject, ...parts?.groups };
  const data = JSON.parse(JSON.stringify(sample.data), (_, value: unknown) =>
    typeof value === "string" ? filled(value, known) : value,
  );
  return { subject, data };
}

/** Values in a URL are encoded. */
function filled(text: string, values: Values): string {
  const encoded = text.startsWith("https://") ? encodeURI : String;
  return text.replace(/\{(\w*)\}/g, (braces, name) =>
    name === "uuid" ? randomUUID() : encoded(values[name] ?? braces),
  );
}
