import type { CloudEnvironmentName } from "../cloud-environment.js";
import { bindingFields, definitionFields, type Vocabulary } from "../fields/index.js";

/** The field that a name in a document means. */
export interface KnownName {
  readonly field: string;
  /** The only vocabulary that has this name; undefined if several have it. */
  readonly vocabulary: Vocabulary | undefined;
}

const VOCABULARIES = ["current", "earlier", "vendor"] as const;

const definition = definitionFields(bindingFields).all;

/** Every name that a document may have, including those that are only read. */
export const fieldNames: readonly string[] = definition.flatMap(({ documentNames = {} }) =>
  Object.values(documentNames),
);

const byName = new Map<string, KnownName>();
for (const { name: field, documentNames } of definition) {
  for (const vocabulary of VOCABULARIES) {
    const key = documentNames?.[vocabulary]?.toLowerCase();
    if (key === undefined) continue;
    byName.set(key, { field, vocabulary: byName.has(key) ? undefined : vocabulary });
  }
  const older = documentNames?.older?.toLowerCase();
  if (older !== undefined) byName.set(older, { field, vocabulary: "vendor" });
}

/** Finds the field of a name, ignoring case as the original component does. */
export function fieldNamed(name: string): KnownName | undefined {
  return byName.get(name.toLowerCase());
}

/** The name of a field in a vocabulary; undefined if the vocabulary does not have it. */
export function nameIn(vocabulary: Vocabulary, field: string): string | undefined {
  return definition.find(({ name }) => name === field)?.documentNames?.[vocabulary];
}

/** The vendor's names of the clouds. */
export const VENDOR_CLOUDS: Readonly<Record<CloudEnvironmentName, string>> = {
  public: "AzurePublicCloud",
  usgovernment: "AzureUSGovernmentCloud",
  china: "AzureChinaCloud",
};

/** Our name of a cloud that is given by either name, in any case; any other text unchanged. */
export function cloudNamed(text: string): string {
  const lower = text.toLowerCase();
  const names = Object.entries(VENDOR_CLOUDS).find(([name, vendorName]) => {
    return name === lower || vendorName.toLowerCase() === lower;
  });
  return names?.[0] ?? text;
}
