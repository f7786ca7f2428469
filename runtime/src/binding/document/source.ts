import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseAllDocuments,
  type YAMLError,
  type YAMLMap,
} from "yaml";
import { ComponentDocumentError, type DocumentProblem } from "./component-document-error.js";

/**
 * Parses a text with one document, or with several that `---` separates. Empty ones are left out.
 *
 * @throws {ComponentDocumentError} when the text cannot be parsed or contains no mapping
 */
export function parseSources(text: string | Uint8Array, fileName?: string): DocumentSource[] {
  const fail = (...problems: readonly DocumentProblem[]) =>
    new ComponentDocumentError(problems, { fileName });
  const lines = new LineCounter();
  const decoded = typeof text === "string" ? text : new TextDecoder().decode(text);
  const documents = parseAllDocuments(decoded, { lineCounter: lines, prettyErrors: false });
  const errors = documents.flatMap((document) => document.errors);
  if (errors.length > 0) throw fail(...errors.map((error) => syntaxProblem(error, lines)));

  const filled = documents.filter(({ contents }) => contents !== null);
  if (filled.length === 0) throw fail({ field: "document", rule: "shape", message: "it is empty" });
  const sources = filled.flatMap((document) => {
    const { contents } = document;
    return isMap(contents) ? [new DocumentSource(contents, document, lines)] : [];
  });
  if (sources.length > 0) return sources;
  throw fail({ line: 1, field: "document", rule: "shape", message: "it must be a mapping" });
}

function syntaxProblem({ code, message, pos }: YAMLError, lines: LineCounter): DocumentProblem {
  const rule = code === "DUPLICATE_KEY" ? "duplicate-field" : "syntax";
  return { line: lines.linePos(pos[0]).line, field: "document", rule, message: message.trim() };
}

/** A parsed document whose nodes know their lines. */
export class DocumentSource {
  /** The outermost mapping. */
  readonly root: YAMLMap;
  readonly #document: Document;
  readonly #lines: LineCounter;

  constructor(root: YAMLMap, document: Document, lines: LineCounter) {
    this.root = root;
    this.#document = document;
    this.#lines = lines;
  }

  /** The value of a mapping's key; undefined if there is none. YAML aliases are followed. */
  child(parent: unknown, key: string): unknown {
    return isMap(parent) ? this.resolved(parent.get(key, true)) : undefined;
  }

  /** The node at a path from the root. */
  at(...path: readonly string[]): unknown {
    return path.reduce<unknown>((node, key) => this.child(node, key), this.root);
  }

  /** The text of a mapping's key; undefined if it is missing or something else. */
  text(parent: unknown, key: string): string | undefined {
    const node = this.child(parent, key);
    return isScalar(node) && typeof node.value === "string" ? node.value : undefined;
  }

  /** The node that an alias stands for; every other node unchanged. */
  resolved(node: unknown): unknown {
    return isAlias(node) ? node.resolve(this.#document) : node;
  }

  /** The line on which a node begins, from 1. */
  line(node: unknown): number {
    const start = isNode(node) ? node.range?.[0] : undefined;
    return this.#lines.linePos(start ?? 0).line;
  }
}
