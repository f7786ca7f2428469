import { nearName } from "../../validation/index.js";
import type { Vocabulary } from "../fields/index.js";
import type { DocumentProblem } from "./component-document-error.js";
import { fieldNamed, fieldNames, type KnownName, nameIn } from "./field-names.js";
import { hasVendorType } from "./header.js";
import type { DocumentSource } from "./source.js";
import { yaml } from "./yaml.js";

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

/** The metadata fields of a document. */
export interface Metadata {
  /** By the field's current name, in the order of the document. */
  readonly entries: ReadonlyMap<string, MetadataEntry>;
  readonly problems: readonly DocumentProblem[];
  readonly warnings: readonly DocumentProblem[];
  /** Line of the list, for fields that are missing; undefined if there is no list. */
  readonly line: number | undefined;
  /** The name of a field in this document, or the name that it would have there. */
  nameOf(field: string): string;
}

/** Reads `spec.metadata`. */
export function readMetadata(source: DocumentSource): Metadata {
  const reader = new MetadataReader(source);
  const list = source.at("spec", "metadata");
  const line = yaml().isSeq(list) ? source.line(list) : undefined;
  if (yaml().isSeq(list)) {
    for (const item of list.items) reader.readItem(source.resolved(item));
  } else {
    const message = "spec.metadata must be a list of entries with name and value";
    const at = list === undefined ? {} : { line: source.line(list) };
    reader.problems.push({ ...at, field: "spec.metadata", rule: "shape", message });
  }
  const { entries, problems, warnings } = reader;
  const vocabulary = mainVocabulary(source, entries);
  const nameOf = (field: string) => entries.get(field)?.name ?? nameIn(vocabulary, field) ?? field;
  return { entries, problems, warnings, line, nameOf };
}

/** The vocabulary of the first field whose name is in one only. */
function mainVocabulary(
  source: DocumentSource,
  entries: ReadonlyMap<string, MetadataEntry>,
): Vocabulary {
  for (const { vocabulary } of entries.values()) if (vocabulary) return vocabulary;
  return hasVendorType(source) ? "vendor" : "current";
}

class MetadataReader {
  readonly problems: DocumentProblem[] = [];
  readonly warnings: DocumentProblem[] = [];
  readonly entries = new Map<string, MetadataEntry>();

  constructor(private readonly source: DocumentSource) {}

  readItem(item: unknown): void {
    const line = this.source.line(item);
    const name = this.source.text(item, "name");
    if (!yaml().isMap(item) || name === undefined) {
      const message = "an entry of spec.metadata must have a name and a value";
      this.problems.push({ line, field: "spec.metadata", rule: "shape", message });
      return;
    }
    const known = fieldNamed(name);
    if (known === undefined) {
      const message = unknownField(name);
      this.warnings.push({ line, field: name, rule: "unknown-field", message });
      return;
    }
    const value = this.#readValue(item, name, known.field, line);
    this.#add({ ...known, name, line, value });
  }

  #add(entry: MetadataEntry): void {
    const { field, name, line, value } = entry;
    const first = this.entries.get(field);
    if (first === undefined) {
      this.entries.set(field, entry);
    } else if (first.name.toLowerCase() === name.toLowerCase()) {
      const message = `${name} is set twice, first on line ${first.line}`;
      this.problems.push({ line, field, rule: "duplicate-field", message });
    } else {
      const message = `${name} is another name of ${first.name} (line ${first.line})`;
      if (JSON.stringify(first.value) === JSON.stringify(value)) {
        const both = `${message}: keep one`;
        this.warnings.push({ line, field, rule: "mixed-releases", message: both });
      } else {
        const conflict = `${message}, and the two have different values: keep one`;
        this.problems.push({ line, field, rule: "conflicting-aliases", message: conflict });
      }
    }
  }

  #readValue(item: unknown, name: string, field: string, line: number): MetadataEntry["value"] {
    const value = this.source.child(item, "value");
    const reference = this.source.child(item, "secretKeyRef");
    const refuse = (message: string): undefined => {
      this.problems.push({ line, field, rule: "shape", message });
    };
    if (value !== undefined && reference !== undefined) {
      return refuse(`${name} has both a value and a secretKeyRef: keep one`);
    }
    if (reference !== undefined) {
      const secret = this.source.text(reference, "name");
      if (secret) return { name: secret, key: this.source.text(reference, "key") || secret };
      return refuse(`the secretKeyRef of ${name} must have a name, and a key within that secret`);
    }
    if (value === undefined) return refuse(`${name} has neither a value nor a secretKeyRef`);
    if (!yaml().isScalar(value)) return refuse(`${name} must have a single value, as a string`);
    if (value.value === null || value.value === "") return undefined;
    if (typeof value.value === "string") return value.value;
    const message = `${name} should be a string: put its value in quotes`;
    this.warnings.push({ line, field, rule: "unquoted", message });
    return value.source ?? String(value.value);
  }
}

function unknownField(name: string): string {
  const meant = nearName(name, fieldNames);
  const hint = meant === undefined ? "" : `: did you mean ${meant}?`;
  return `${JSON.stringify(name)} is not a field of this component and is ignored${hint}`;
}
