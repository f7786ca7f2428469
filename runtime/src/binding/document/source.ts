import {
  type Document,
  isAlias,
  isMap,
  isNode,
  LineCounter,
  Parser,
  parseAllDocuments,
  type YAMLError,
  type YAMLMap,
} from "yaml";
import { shownValue } from "../shown-value.js";
import { ComponentDocumentError, type DocumentProblem } from "./problem.js";

/** Longest text that is read; a component document has some two thousand characters. */
const MAX_LENGTH = 65_536;
/** Deepest nesting that is read: the parser's stack would overflow on a text made to do so. */
const MAX_DEPTH = 64;

/**
 * Parses a text: one document, or several with `---` between them. Empty ones are left out.
 *
 * @throws {ComponentDocumentError} when it cannot be parsed, is too large, or holds no mapping
 */
export function parseSources(text: string, fileName?: string): DocumentSource[] {
  const refusal = (...problems: readonly DocumentProblem[]) =>
    new ComponentDocumentError(problems, fileName);
  if (!isText(text)) {
    const message = `it must be a text, but is ${shownValue(text)}: a file's is readFileSync(fileName, "utf8")`;
    throw refusal({ rule: "type", message });
  }
  if (text.length > MAX_LENGTH) {
    const message = `it has ${text.length} characters; no more than ${MAX_LENGTH} are read`;
    throw refusal({ rule: "size", message });
  }
  if (depthOf(text) > MAX_DEPTH) {
    throw refusal({ rule: "nesting", message: "it is nested too deeply" });
  }
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  const errors = documents.flatMap((document) => document.errors);
  if (errors.length > 0) throw refusal(...errors.map((error) => syntaxProblem(error, lines)));

  const filled = documents.filter(({ contents }) => contents !== null);
  if (filled.length === 0) throw refusal({ rule: "shape", message: "it is empty" });
  const sources = filled.flatMap((document) => {
    const { contents } = document;
    return isMap(contents) ? [new DocumentSource(contents, document, lines)] : [];
  });
  if (sources.length > 0) return sources;
  throw refusal({ line: 1, rule: "shape", message: "it must be a mapping" });
}

/** Callers without types may give the bytes of a file. */
function isText(text: unknown): boolean {
  return typeof text === "string";
}

function syntaxProblem({ code, message, pos }: YAMLError, lines: LineCounter): DocumentProblem {
  const rule = code === "DUPLICATE_KEY" ? "duplicate-field" : "syntax";
  return { line: lines.linePos(pos[0]).line, rule, message: message.trim() };
}

/** A parsed text whose parts know their lines. */
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

  /** The part of a mapping under a key, with YAML's aliases followed. */
  child(parent: unknown, key: string): unknown {
    return isMap(parent) ? this.resolved(parent.get(key, true)) : undefined;
  }

  /** What an alias stands for; everything else as it is. */
  resolved(node: unknown): unknown {
    return isAlias(node) ? node.resolve(this.#document) : node;
  }

  /** Line on which a part begins, from 1. */
  line(node: unknown): number {
    const start = isNode(node) ? node.range?.[0] : undefined;
    return this.#lines.linePos(start ?? 0).line;
  }
}

function depthOf(text: string): number {
  let deepest = 0;
  const open: [token: unknown, depth: number][] = [];
  for (const token of new Parser().parse(text)) open.push([token, 1]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [token, depth] = next;
    deepest = Math.max(deepest, depth);
    for (const part of partsOf(token)) open.push([part, depth + 1]);
  }
  return deepest;
}

function partsOf(token: unknown): unknown[] {
  if (typeof token !== "object" || token === null) return [];
  const parts: unknown[] = [];
  if ("items" in token && Array.isArray(token.items)) parts.push(...token.items);
  if ("key" in token) parts.push(token.key);
  if ("value" in token) parts.push(token.value);
  return parts.filter((part) => typeof part === "object" && part !== null);
}
