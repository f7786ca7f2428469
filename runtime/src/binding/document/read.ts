import type { BindingProblem } from "../problem.js";
import type { BindingPropsOf, Direction, Writer } from "../props.js";
import { isBindingProps, type ValidationOptions, validateBinding } from "../validate.js";
import { chooseComponent } from "./choice.js";
import { documentProps } from "./document-props.js";
import { componentName, headerProblems } from "./header.js";
import { type Metadata, readMetadata } from "./metadata.js";
import { ComponentDocumentError, type DocumentProblem } from "./problem.js";
import type { ResolveSecret } from "./secret-reference.js";
import { parseSources } from "./source.js";

/** How a component document is to be read. */
export interface ReadOptions<D extends Direction = Direction> extends ValidationOptions {
  /**
   * The halves that are wanted, where the document may have more; the type of the props follows.
   *
   * @default what the document has
   */
  readonly direction?: D;
  /**
   * The event subscription that the component made is to be taken over. Its name may have hyphens,
   * and is the component's own where the document gives none.
   *
   * @default false
   */
  readonly existingSubscription?: boolean;
  /** Looks up the secrets that the document refers to. */
  readonly resolveSecret?: ResolveSecret;
  /**
   * Name of the component to read, where the text holds several documents.
   *
   * @default the only document, or the only binding of Event Grid among several
   */
  readonly component?: string;
  /** What messages call the document. @default messages give the line only */
  readonly fileName?: string;
  /**
   * Who writes the event subscription from now on. The original component does it itself, as the
   * client; where the deployer takes over, the document's client secret is left out.
   *
   * @default "client"
   */
  readonly writer?: Writer;
}

/** What a component document says. */
export interface ComponentDocument<D extends Direction = Direction> {
  /** The component's name. */
  readonly name: string;
  readonly props: BindingPropsOf<D>;
  /** What works, but is worth a second look. */
  readonly warnings: readonly DocumentProblem[];
}

/**
 * Reads a component document, YAML or JSON, of either release or in the vendor's words.
 *
 * @throws {ComponentDocumentError} with everything that is wrong, line by line
 */
export function readComponentDocument<D extends Direction = Direction>(
  text: string,
  options?: ReadOptions<D>,
): ComponentDocument<D>;
export function readComponentDocument(text: string, options: ReadOptions = {}): ComponentDocument {
  const { fileName } = options;
  const source = chooseComponent(parseSources(text, fileName), options.component, fileName);
  const name = componentName(source);
  const metadata = readMetadata(source);
  const { props, warnings, problems: unresolvable } = documentProps(metadata, name, options);
  const unread = [...metadata.problems, ...unresolvable];
  const problems = [...headerProblems(source), ...unread];
  // Without a list, or without the wanted half, every field would be told as missing.
  const hopeless =
    metadata.line === undefined || unresolvable.some(({ rule }) => rule === "direction");
  const found = hopeless ? [] : validateBinding(props, options);
  // A field whose value could not be read is not missing.
  const known = ({ rule, field }: BindingProblem) =>
    rule === "required" && unread.some((problem) => problem.field === field);
  for (const problem of found) {
    if (!known(problem)) problems.push(located(problem, metadata));
  }
  if (problems.length > 0 || !isBindingProps(props, options)) {
    throw new ComponentDocumentError(inOrder(problems), fileName);
  }
  return { name, props, warnings: inOrder([...metadata.warnings, ...warnings]) };
}

function located(problem: BindingProblem, { entries, line }: Metadata): DocumentProblem {
  const { field, rule } = problem;
  const at = entries.get(field)?.line ?? line;
  const message = `${problem.message}${alsoKnownAs(field, entries)}${portHint(problem)}`;
  return { ...(at && { line: at }), field, rule, message };
}

function alsoKnownAs(field: string, entries: Metadata["entries"]): string {
  const name = entries.get(field)?.name;
  return name !== undefined && name !== field ? ` (the document calls it ${name})` : "";
}

function portHint({ field, rule }: BindingProblem): string {
  if (field !== "handshakePort" || rule !== "required") return "";
  return '; a component that says nothing listens on "8080"';
}

function inOrder(problems: readonly DocumentProblem[]): DocumentProblem[] {
  return [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}
