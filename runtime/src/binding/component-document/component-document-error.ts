import { ConfigurationError, type Problem } from "../../errors.js";

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
  return [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

function locationOf({ line }: Problem, fileName: string | undefined): string {
  if (fileName !== undefined) return `${fileName}${line ? `:${line}` : ""}: `;
  return line ? `line ${line}: ` : "";
}
