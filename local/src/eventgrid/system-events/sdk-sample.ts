import type { EventFamily, Sample, SampleOf, SourceContext } from "./system-event.js";

/** A sample in which braces stand for what differs from event to event, such as `{time}`. */
export interface SdkSample extends Sample {
  /** Namespace and type of the resource; a subscription or resource group without one. */
  readonly resourceType?: string;
}

/** The families of samples, by the type of resource that the events come from. */
export function familiesOf(samples: Readonly<Record<string, SdkSample>>): EventFamily[] {
  const families = new Map<string | undefined, Record<string, SampleOf>>();
  for (const [type, sample] of Object.entries(samples)) {
    const { resourceType } = sample;
    const family = families.get(resourceType) ?? {};
    families.set(resourceType, family);
    family[type] = (source) => filled(sample, source);
  }
  return [...families].map(([resourceType, family]) => ({
    ...(resourceType !== undefined && { resourceType }),
    samples: family,
  }));
}

function filled(sample: SdkSample, source: SourceContext): Sample {
  const { id, name, time, newId } = source;
  const values = new Map([
    ["id", id],
    ["name", name],
    ["time", time],
    ["subscriptionId", id.split("/")[2]],
  ]);
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (braces, field) =>
      field === "uuid" ? newId() : (values.get(field) ?? braces),
    );
  const subject = source.subject ?? fill(sample.subject);
  values.set("subject", subject);
  const data = JSON.parse(JSON.stringify(sample.data), (_, value: unknown) =>
    typeof value === "string" ? fill(value) : value,
  );
  return { subject, data };
}
