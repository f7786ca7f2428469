import type { Document, YAMLError, YAMLMap } from "yaml";
import { ConfigurationError, type Problem, statedProblem } from "../errors.js";
import { withoutRandomWords } from "../validation/index.js";

interface SourceOptions {
  /** Name of the file, for messages. */
  readonly fileName?: string | undefined;
  /** Line of the file on which the text begins. @default 1 */
  readonly firstLine?: number | undefined;
}

/** The line of the file that an offset in the text is on, from 1. */
type LineAt = (offset: number) => number;

/**
 * Parses a text with one document, or with several that `---` separates. Empty ones are left out.
 *
 * @throws {ConfigurationError} when the text cannot be parsed or contains no mapping
 */
export function parseSources(
  text: string | Uint8Array,
  { fileName, firstLine = 1 }: SourceOptions = {},
): DocumentSource[] {
  const fail = (...problems: readonly Problem[]) => documentError(problems, { fileName });
  const decoded = typeof text === "string" ? text : new TextDecoder().decode(text);
  const lineCounter = new (yaml().LineCounter)();
  const lineAt = (offset: number) => lineCounter.linePos(offset).line + firstLine - 1;
  // The parser compares every key with every other one: `duplicateKeys` does it in linear time.
  const options = { lineCounter, prettyErrors: false, uniqueKeys: false };
  const documents = yaml().parseAllDocuments(decoded, options);
  const problems = documents.flatMap((document) => [
    ...syntaxProblems(document.errors, lineAt),
    ...(document.errors.length === 0 ? duplicateKeys(document, lineAt) : []),
  ]);
  if (problems.length > 0) throw fail(...problems);

  const filled = documents.filter(({ contents }) => contents !== null);
  if (filled.length === 0) throw fail(statedProblem("document", { shape: "it is empty" }));
  const sources = filled.flatMap((document) => {
    const { contents } = document;
    return yaml().isMap(contents) ? [new DocumentSource(contents, document, lineAt)] : [];
  });
  if (sources.length > 0) return sources;
  const message = "it must be a mapping";
  throw fail({ line: firstLine, ...statedProblem("document", { shape: message }) });
}

/** The first error: those after it are mostly its consequences. */
function syntaxProblems(errors: readonly YAMLError[], lineAt: LineAt): Problem[] {
  return errors.slice(0, 1).map((error) => {
    // What follows a colon quotes the document, perhaps a secret.
    const syntax = withoutRandomWords(error.message.trim().replace(/: .*/s, ""));
    return { line: lineAt(error.pos[0]), ...statedProblem("document", { syntax }) };
  });
}

/** Every key that a mapping has twice. */
function duplicateKeys(document: Document, lineAt: LineAt): Problem[] {
  const problems: Problem[] = [];
  yaml().visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!yaml().isScalar(key)) continue;
        if (seen.has(key.value)) {
          const message = "Map keys must be unique";
          const line = lineAt(startOf(key));
          problems.push({ line, ...statedProblem("document", { "duplicate-field": message }) });
        }
        seen.add(key.value);
      }
    },
  });
  return problems;
}

/** A parsed document whose nodes know their lines. */
export class DocumentSource {
  constructor(
    /** The outermost mapping. */
    readonly root: YAMLMap,
    private readonly document: Document,
    private readonly lineAt: LineAt,
  ) {}

  /** The value of a mapping's key; undefined if there is none. YAML aliases are followed. */
  child(parent: unknown, key: string): unknown {
    return yaml().isMap(parent) ? this.resolved(parent.get(key, true)) : undefined;
  }

  /** The node at a path from the root. */
  at(...path: readonly string[]): unknown {
    return path.reduce<unknown>((node, key) => this.child(node, key), this.root);
  }

  /** The text of a mapping's key; undefined if it is missing or something else. */
  text(parent: unknown, key: string): string | undefined {
    const node = this.child(parent, key);
    return yaml().isScalar(node) && typeof node.value === "string" ? node.value : undefined;
  }

  /** The node that an alias stands for; every other node unchanged. */
  resolved(node: unknown): unknown {
    return yaml().isAlias(node) ? node.resolve(this.document) : node;
  }

  /** The line on which a node begins, from 1. */
  line(node: unknown): number {
    return this.lineAt(startOf(node));
  }
}

/** Where a node begins; the beginning of the document for one that no text has. */
function startOf(node: unknown): number {
  const [start] = (yaml().isNode(node) && node.range) || [0];
  return start;
}

/** `require` looks for the file at every call, and a document asks for the parser at every node. */
let loaded: typeof import("yaml") | undefined;

/**
 * The YAML parser, which reads JSON as well. An optional peer: most services never read or write a
 * document.
 *
 * @throws {ConfigurationError} when it is not installed
 */
export function yaml(): typeof import("yaml") {
  // Bundlers accept that an optional package is missing only if `require` is in a `try`.
  try {
    const parser: typeof import("yaml") = loaded ?? require("yaml");
    loaded = parser;
    return parser;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND")) {
      throw error;
    }
    const message = "the package yaml is not installed: npm install yaml";
    const headline = "Component documents cannot be read or written";
    throw documentError([statedProblem("yaml", { installed: message })], { headline });
  }
}

/** The details of a {@link documentError} besides its problems. */
interface DocumentErrorOptions extends ErrorOptions {
  /** @default that the document is invalid */
  readonly headline?: string;
  /** Name of the file that the document is from, for the message. */
  readonly fileName?: string | undefined;
  /** Warnings about the same document, which often explain a problem. */
  readonly warnings?: readonly Problem[];
}

/** The error for a component document that cannot be read or written: one line for every problem. */
export function documentError(
  problems: readonly Problem[],
  options: DocumentErrorOptions = {},
): ConfigurationError {
  const {
    headline = "The component document is invalid",
    fileName,
    warnings = [],
    ...errorOptions
  } = options;
  const lines = byLine([
    ...problems.map((problem) => ({ ...problem, prefix: "" })),
    ...warnings.map((warning) => ({ ...warning, prefix: "warning: " })),
  ]).map((entry) => `${locationOf(entry, fileName)}${entry.prefix}${entry.message}`);
  return new ConfigurationError(headline, byLine(problems), { ...errorOptions, warnings, lines });
}

/** Sorts problems by their lines; those without one come first. */
export function byLine<P extends Problem>(problems: readonly P[]): P[] {
  const lineOf = ({ line = 0 }: P) => line;
  return [...problems].sort((a, b) => lineOf(a) - lineOf(b));
}

function locationOf({ line }: Problem, fileName: string | undefined): string {
  if (fileName !== undefined) return `${fileName}${line ? `:${line}` : ""}: `;
  return line ? `line ${line}: ` : "";
}
