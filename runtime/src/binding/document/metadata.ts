import { isMap, isScalar, isSeq } from "yaml";
import { shownValue } from "../shown-value.js";
import type { DocumentProblem } from "./problem.js";
import type { SecretReference } from "./secret-reference.js";
import type { DocumentSource } from "./source.js";
import { type DocumentField, type KnownName, understandName } from "./vocabulary.js";

/** One field as a document gives it. */
export interface MetadataEntry extends KnownName {
  /** The name as the document spells it. */
  readonly name: string;
  readonly line: number;
  /** Undefined where the document leaves the value empty, or where it cannot be read. */
  readonly value: string | SecretReference | undefined;
}

/** The metadata fields of a document. */
export interface Metadata {
  /** By the field's current name, in the order of the document. */
  readonly entries: ReadonlyMap<string, MetadataEntry>;
  /** The store in which secret references lie, where the document names one. */
  readonly secretStore: string | undefined;
  readonly problems: readonly DocumentProblem[];
  readonly warnings: readonly DocumentProblem[];
  /** Line of the list, for fields that it lacks; undefined where there is no list. */
  readonly line: number | undefined;
}

/** Reads `spec.metadata`; what it cannot understand becomes a problem, or a warning. */
export function readMetadata(source: DocumentSource): Metadata {
  return new MetadataReader(source).read();
}

class MetadataReader {
  readonly #source: DocumentSource;
  readonly #problems: DocumentProblem[] = [];
  readonly #warnings: DocumentProblem[] = [];
  readonly #entries = new Map<string, MetadataEntry>();

  constructor(source: DocumentSource) {
    this.#source = source;
  }

  read(): Metadata {
    const list = this.#source.child(this.#source.child(this.#source.root, "spec"), "metadata");
    const line = isSeq(list) ? this.#source.line(list) : undefined;
    if (isSeq(list)) {
      for (const item of list.items) this.#readItem(this.#source.resolved(item));
    } else {
      const message = "spec.metadata must be a list of entries with name and value";
      const at = list === undefined ? undefined : this.#source.line(list);
      this.#problems.push({ ...(at && { line: at }), rule: "shape", message });
    }
    const auth = this.#source.child(this.#source.root, "auth");
    return {
      entries: this.#entries,
      secretStore: this.#text(auth, "secretStore"),
      problems: this.#problems,
      warnings: this.#warnings,
      line,
    };
  }

  #readItem(item: unknown): void {
    const line = this.#source.line(item);
    const nameNode = this.#source.child(item, "name");
    if (!isMap(item) || !isScalar(nameNode) || typeof nameNode.value !== "string") {
      const message = "an entry of spec.metadata must have a name, and a value";
      this.#problems.push({ line, rule: "shape", message });
      return;
    }
    const name = nameNode.value;
    const known = understandName(name);
    if (known === undefined) {
      const message = `${shownValue(name)} is no field of this component, and is ignored`;
      this.#warnings.push({ line, rule: "unknown-field", message });
      return;
    }
    const value = this.#readValue(item, name, known.field, line);
    this.#add({ ...known, name, line, value });
  }

  #add(entry: MetadataEntry): void {
    const { field, name, line, value } = entry;
    const first = this.#entries.get(field);
    if (first === undefined) {
      this.#entries.set(field, entry);
    } else if (first.name.toLowerCase() === name.toLowerCase()) {
      const message = `${name} is given twice, first on line ${first.line}`;
      this.#problems.push({ line, field, rule: "duplicate-field", message });
    } else if (JSON.stringify(first.value) !== JSON.stringify(value)) {
      const message =
        `${name} is another name of ${first.name} (line ${first.line}), ` +
        "and the two have different values: keep one";
      this.#problems.push({ line, field, rule: "conflicting-aliases", message });
    } else {
      const message = `${name} is another name of ${first.name} (line ${first.line}): keep one`;
      this.#warnings.push({ line, field, rule: "mixed-releases", message });
    }
  }

  #readValue(
    item: unknown,
    name: string,
    field: DocumentField,
    line: number,
  ): MetadataEntry["value"] {
    const value = this.#source.child(item, "value");
    const reference = this.#source.child(item, "secretKeyRef");
    const refuse = (message: string): undefined => {
      this.#problems.push({ line, field, rule: "shape", message });
    };
    if (value !== undefined && reference !== undefined) {
      return refuse(`${name} has both a value and a secretKeyRef: keep one`);
    }
    if (reference !== undefined) {
      const secret = this.#text(reference, "name");
      if (secret) return { name: secret, key: this.#text(reference, "key") || secret };
      return refuse(`the secretKeyRef of ${name} must have a name, and a key within that secret`);
    }
    if (value === undefined) return refuse(`${name} has neither a value nor a secretKeyRef`);
    if (!isScalar(value)) return refuse(`${name} must have a single value, as a string`);
    if (value.value === null || value.value === "") return undefined;
    if (typeof value.value === "string") return value.value;
    const text = value.source ?? String(value.value);
    const message = `${name} should be a string: put its value in quotes`;
    this.#warnings.push({ line, field, rule: "unquoted", message });
    return text;
  }

  #text(parent: unknown, key: string): string | undefined {
    const part = this.#source.child(parent, key);
    return isScalar(part) && typeof part.value === "string" ? part.value : undefined;
  }
}
