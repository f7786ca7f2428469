import type { CloudEnvironmentName } from "../cloud-environment.js";
import {
  type BindingField,
  bindingFields,
  definitionFields,
  type NamedField,
  type Vocabulary,
} from "../fields/index.js";

/** The field that a name in a document means. */
export interface KnownName {
  readonly field: BindingField;
  /** The only vocabulary that has this name; undefined if several have it. */
  readonly vocabulary: Vocabulary | undefined;
}

/** The fields that documents may have. */
export const documentFields: readonly NamedField[] = definitionFields(bindingFields).filter(
  ({ documentNames }) => documentNames !== undefined,
);

/** The name of a field in a vocabulary; undefined if the vocabulary does not have it. */
export function nameIn(vocabulary: Vocabulary, field: NamedField): string | undefined {
  const name = vocabulary === "current" ? undefined : field.documentNames?.[vocabulary];
  return name === null ? undefined : (name ?? field.name);
}

/** Every name that a document may have, including those that are only read. */
const known = documentFields.flatMap((field) => {
  const names = [
    [nameIn("current", field), "current"],
    [nameIn("earlier", field), "earlier"],
    [nameIn("vendor", field), "vendor"],
    [field.documentNames?.older, "vendor"],
  ] as const;
  return names.flatMap(([name, vocabulary]) =>
    name === undefined ? [] : { field: field.name as BindingField, name, vocabulary },
  );
});

export const fieldNames: readonly string[] = known.map(({ name }) => name);

/** Finds the field of a name, ignoring case as the original component does. */
export function fieldNamed(text: string): KnownName | undefined {
  const [first, ...others] = known.filter(({ name }) => name.toLowerCase() === text.toLowerCase());
  if (first === undefined) return undefined;
  return { field: first.field, vocabulary: others.length > 0 ? undefined : first.vocabulary };
}

/** The vendor's names of the clouds. */
export const VENDOR_CLOUDS: Readonly<Record<CloudEnvironmentName, string>> = {
  public: "AzurePublicCloud",
  usgovernment: "AzureUSGovernmentCloud",
  china: "AzureChinaCloud",
};
