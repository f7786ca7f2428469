import { ConfigurationError, type Problem } from "../../validation/index.js";

/** A problem of a component document, or a warning about it. */
export interface DocumentProblem extends Problem {
  /** Line in the text, from 1; absent if the problem concerns the document as a whole. */
  readonly line?: number;
}

/** The details of a {@link ComponentDocumentError} besides its problems. */
interface DocumentErrorOptions extends ErrorOptions {
  /** @default that the document is invalid */
  readonly headline?: string;
  /** Name of the file that the document is from, for the message. */
  readonly fileName?: string | undefined;
  /** Warnings about the same document, which often explain a problem. */
  readonly warnings?: readonly DocumentProblem[];
}

/** Thrown when a component document cannot be read or written; it carries every problem found. */
export class ComponentDocumentError extends ConfigurationError<DocumentProblem> {
  readonly code = "ERR_COMPONENT_DOCUMENT";
  readonly #warnings: readonly DocumentProblem[];

  constructor(problems: readonly DocumentProblem[], options: DocumentErrorOptions = {}) {
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
    super(headline, byLine(problems), { ...errorOptions, lines });
    this.#warnings = warnings;
  }

  /** Warnings about the same document; the message contains them too. */
  get warnings(): readonly DocumentProblem[] {
    return this.#warnings;
  }
}

/** Sorts problems by their lines; those without one come first. */
export function byLine<P extends DocumentProblem>(problems: readonly P[]): P[] {
  return [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

function locationOf({ line }: DocumentProblem, fileName: string | undefined): string {
  if (fileName !== undefined) return `${fileName}${line ? `:${line}` : ""}: `;
  return line ? `line ${line}: ` : "";
}
