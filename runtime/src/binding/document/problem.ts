import { CloudEventGridError } from "../../errors.js";
import type { BindingRule } from "../problem.js";

/** Which rule a component document breaks; stable across releases. */
export type DocumentRule =
  | BindingRule
  | "api-version"
  | "conflicting-aliases"
  | "duplicate-field"
  | "kind"
  | "mixed-releases"
  | "nesting"
  | "shape"
  | "size"
  | "syntax"
  | "unknown-field"
  | "unquoted"
  | "version";

/** One thing that is wrong with a component document, or that is worth a second look. */
export interface DocumentProblem {
  /** Line in the text, from 1; absent where the document as a whole is meant. */
  readonly line?: number;
  readonly rule: DocumentRule;
  /** The field of the contract that is concerned, by its current name. */
  readonly field?: string;
  /** A sentence for people, without the line. Never holds a secret. */
  readonly message: string;
}

/** Thrown when a component document cannot be read or written; it carries every problem found. */
export class ComponentDocumentError extends CloudEventGridError {
  readonly code = "ERR_COMPONENT_DOCUMENT";
  readonly problems: readonly DocumentProblem[];

  /** @param fileName what the messages call the document, where it came from a file */
  constructor(problems: readonly DocumentProblem[], fileName?: string) {
    super(describe(problems, fileName));
    this.problems = problems;
  }
}

function describe(problems: readonly DocumentProblem[], fileName?: string): string {
  const located = problems.map((problem) => locate(problem, fileName));
  const [first] = located;
  if (located.length === 1) return `The component document is invalid: ${first}`;
  return `The component document is invalid:\n- ${located.join("\n- ")}`;
}

function locate({ line, message }: DocumentProblem, fileName: string | undefined): string {
  if (fileName !== undefined) return `${fileName}${line ? `:${line}` : ""}: ${message}`;
  return line ? `line ${line}: ${message}` : message;
}
