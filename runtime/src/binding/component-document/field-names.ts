import type { CloudEnvironmentName } from "../cloud-environment.js";
import { definitionFields, type FieldTable, type Vocabulary } from "../fields/index.js";

/** The field that a name in a document means. */
export interface KnownName {
  readonly field: string;
  /** The only vocabulary that has this name; undefined if several have it. */
  readonly vocabulary: Vocabulary | undefined;
}

const VOCABULARIES = ["current", "earlier", "vendor"] as const;

/** The field names of documents. */
export class DocumentNames {
  /** Every name that a document may have, including those that are only read. */
  readonly all: readonly string[];
  readonly #byName = new Map<string, KnownName>();
  readonly #fields: FieldTable;

  constructor(fields: FieldTable) {
    this.#fields = fields;
    for (const { name: field, documentNames } of definitionFields(fields).all) {
      for (const vocabulary of VOCABULARIES) {
        const key = documentNames?.[vocabulary]?.toLowerCase();
        if (key === undefined) continue;
        const isShared = this.#byName.has(key);
        this.#byName.set(key, { field, vocabulary: isShared ? undefined : vocabulary });
      }
      const older = documentNames?.older?.toLowerCase();
      if (older !== undefined) this.#byName.set(older, { field, vocabulary: "vendor" });
    }
    this.all = definitionFields(fields).all.flatMap(({ documentNames = {} }) =>
      Object.values(documentNames),
    );
  }

  /** Finds the field of a name, ignoring case as the original component does. */
  understand(name: string): KnownName | undefined {
    return this.#byName.get(name.toLowerCase());
  }

  /** The name of a field in a vocabulary; undefined if the vocabulary does not have it. */
  nameIn(vocabulary: Vocabulary, field: string): string | undefined {
    return this.#fields[field]?.documentNames?.[vocabulary];
  }
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
