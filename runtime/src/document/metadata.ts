import {
  type BindingField,
  bindingFields,
  type CloudEnvironmentName,
  definitionFields,
  type NamedField,
  type Vocabulary,
} from "../binding/index.js";
import { type Problem, statedProblem } from "../errors.js";
import { nearName, showName, showValue } from "../validation/index.js";
import { hasVendorType } from "./header.js";
import { type DocumentSource, yaml } from "./source.js";

/** A document's reference to a secret. */
export interface SecretReference {
  /** Name of the secret. */
  readonly name: string;
  /** Key within the secret; the secret's name if the document has no key. */
  readonly key: string;
}

/** One metadata field as a document has it. */
export interface MetadataEntry extends KnownName {
  /** The name as the document spells it. */
  readonly name: string;
  readonly line: number;
  /** Undefined if the value is empty or cannot be read. */
  readonly value: string | SecretReference | undefined;
}

/** Other places from which a sidecar reads a value; the second is that of Azure Container Apps. */
const FOREIGN = ["envRef", "secretRef"];
/** @see https://docs.dapr.io/reference/resource-specs/component-schema/#templated-metadata-values */
const TEMPLATE = /\{(?:uuid|podName|namespace|appID)\}/;

/** Comparing a name with those of all fields takes longer than reading the rest of its entry. */
const MAX_HINTS = 100;

/** The list `spec.metadata` of a document. */
export class Metadata {
  /** By the field's current name, in the order of the document. */
  readonly entries = new Map<string, MetadataEntry>();
  readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];
  /** Line of the list, for fields that are missing; undefined if there is no list. */
  readonly line: number | undefined;
  readonly #vocabulary: Vocabulary;

  constructor(private readonly source: DocumentSource) {
    const list = source.at("spec", "metadata");
    if (yaml().isSeq(list)) {
      this.line = source.line(list);
      for (const item of list.items) this.#readItem(source.resolved(item));
    } else {
      const message = "spec.metadata must be a list of entries with name and value";
      const at = list === undefined ? {} : { line: source.line(list) };
      this.problems.push({ ...at, ...statedProblem("spec.metadata", { shape: message }) });
    }
    const distinct = [...this.entries.values()].find(({ vocabulary }) => vocabulary !== undefined);
    this.#vocabulary = distinct?.vocabulary ?? (hasVendorType(source) ? "vendor" : "current");
  }

  /** The name of a field in this document, or the name that it would have there. */
  nameOf(name: string): string {
    const field = documentFields.find((one) => one.name === name);
    return this.entries.get(name)?.name ?? (field && nameIn(this.#vocabulary, field)) ?? name;
  }

  #readItem(item: unknown): void {
    const line = this.source.line(item);
    const name = this.source.text(item, "name");
    if (name === undefined) {
      const message = "an entry of spec.metadata must have a name and a value";
      this.problems.push({ line, ...statedProblem("spec.metadata", { shape: message }) });
      return;
    }
    const known = fieldNamed(name);
    if (known === undefined) {
      const meant = this.warnings.length < MAX_HINTS ? nearName(name, fieldNames) : undefined;
      const hint = meant === undefined ? "" : `: did you mean ${meant}?`;
      const message = `${showValue(name)} is not a field of this component and is ignored${hint}`;
      this.warnings.push({ line, ...statedProblem(showName(name), { "unknown-field": message }) });
      return;
    }
    const entry = { ...known, name, line, value: this.#readValue(item, name, known.field, line) };
    const first = this.entries.get(known.field);
    if (first === undefined) this.entries.set(known.field, entry);
    else this.#repeat(first, entry);
  }

  #repeat(first: MetadataEntry, { field, name, line, value }: MetadataEntry): void {
    const isSameName = first.name.toLowerCase() === name.toLowerCase();
    const message = isSameName
      ? `${name} is set twice, first on line ${first.line}`
      : `${name} is another name of ${first.name} (line ${first.line}): keep one`;
    const isHarmless = !isSameName && JSON.stringify(first.value) === JSON.stringify(value);
    (isHarmless ? this.warnings : this.problems).push({
      line,
      ...statedProblem(field, { "duplicate-field": message }),
    });
  }

  #readValue(item: unknown, name: string, field: string, line: number): MetadataEntry["value"] {
    const value = this.source.child(item, "value");
    const reference = this.source.child(item, "secretKeyRef");
    const refuse = (message: string): undefined => {
      this.problems.push({ line, ...statedProblem(field, { shape: message }) });
    };
    const foreign = FOREIGN.find((key) => this.source.child(item, key) !== undefined);
    if (foreign !== undefined) {
      return refuse(
        `${name} has ${foreign}, which only a sidecar can resolve: write a value or a secretKeyRef`,
      );
    }
    if ((value === undefined) === (reference === undefined)) {
      return refuse(`${name} must have either a value or a secretKeyRef`);
    }
    if (reference !== undefined) {
      const secret = this.source.text(reference, "name");
      if (secret) return { name: secret, key: this.source.text(reference, "key") || secret };
      return refuse(`the secretKeyRef of ${name} must have a name, and a key within that secret`);
    }
    if (!yaml().isScalar(value)) return refuse(`${name} must have a single value, as a string`);
    if (value.value === null || value.value === "") return undefined;
    const [template] = TEMPLATE.exec(String(value.value)) ?? [];
    if (template) {
      return refuse(
        `${name} has ${template}, which only a sidecar fills in: write what it stands for`,
      );
    }
    if (typeof value.value === "string") return value.value;
    const message = `${name} should be a string: put its value in quotes`;
    this.warnings.push({ line, ...statedProblem(field, { unquoted: message }) });
    return String(value.source);
  }
}

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

const fieldNames: readonly string[] = known.map(({ name }) => name);

/** Finds the field of a name, ignoring case as the original component does. */
function fieldNamed(text: string): KnownName | undefined {
  const wanted = text.toLowerCase();
  const [first, ...others] = known.filter(({ name }) => name.toLowerCase() === wanted);
  if (first === undefined) return undefined;
  return { field: first.field, vocabulary: others.length > 0 ? undefined : first.vocabulary };
}

/** The vendor's names of the clouds. */
export const VENDOR_CLOUDS: Readonly<Record<CloudEnvironmentName, string>> = {
  public: "AzurePublicCloud",
  usgovernment: "AzureUSGovernmentCloud",
  china: "AzureChinaCloud",
};
