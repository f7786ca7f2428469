import {
  directionOfFields,
  halvesOf,
  INPUT_FIELDS,
  isDirection,
  OUTPUT_FIELDS,
} from "../direction.js";
import type { BindingProblem } from "../problem.js";
import type { BindingProps, Writer } from "../props.js";
import { isBindingProps, type ValidationOptions, validateBinding } from "../validate.js";
import { componentName, headerProblems } from "./header.js";
import { type Metadata, type MetadataEntry, readMetadata } from "./metadata.js";
import { ComponentDocumentError, type DocumentProblem } from "./problem.js";
import type { ResolveSecret } from "./secret-reference.js";
import { parseSource } from "./source.js";
import { cloudNamed, type DocumentField } from "./vocabulary.js";

/** How a component document is to be read. */
export interface ReadOptions extends ValidationOptions {
  /** Looks up the secrets that the document refers to. */
  readonly resolveSecret?: ResolveSecret;
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
export interface ComponentDocument {
  /** The component's name. */
  readonly name: string;
  readonly props: BindingProps;
  /**
   * What the original component calls its event subscription: `eventSubscriptionName`, or else the
   * component's own name. For taking over a subscription that is there.
   */
  readonly existingSubscriptionName: string;
  /** What works, but is worth a second look. */
  readonly warnings: readonly DocumentProblem[];
}

/**
 * Reads a component document, YAML or JSON, of either release or in the vendor's words.
 *
 * @throws {ComponentDocumentError} with everything that is wrong, line by line
 */
export function readComponentDocument(text: string, options: ReadOptions = {}): ComponentDocument {
  const { writer = "client", resolveSecret, fileName } = options;
  const source = parseSource(text, fileName);
  const unused = new Set<DocumentField>(writer === "deployer" ? ["cloudClientSecret"] : []);
  const metadata = readMetadata(source, { unused, resolveSecret });
  const warnings = [...metadata.warnings, ...mixedReleases(metadata)];
  const props = propsOf(metadata, writer, warnings);
  const problems = [...headerProblems(source), ...metadata.problems];
  const unread = new Set<string | undefined>(metadata.problems.map((problem) => problem.field));
  const found = metadata.line === undefined ? [] : validateBinding(props, options);
  for (const problem of found) {
    // A field whose value could not be read is not missing.
    if (problem.rule === "required" && unread.has(problem.field)) continue;
    problems.push(located(problem, metadata));
  }
  if (problems.length > 0 || !isBindingProps(props, options)) {
    throw new ComponentDocumentError(inOrder(problems), fileName);
  }
  const name = componentName(source);
  const existingSubscriptionName = props.eventSubscriptionName ?? name;
  return { name, props, existingSubscriptionName, warnings: inOrder(warnings) };
}

function propsOf(
  { entries }: Metadata,
  writer: Writer,
  warnings: DocumentProblem[],
): Record<string, unknown> {
  const props = new Map<string, string>();
  for (const { field, value } of entries.values()) {
    if (value !== undefined) props.set(field, inOurWords(field, value));
  }
  if (writer === "deployer") props.delete("cloudClientSecret");
  const named = props.get("direction");
  const direction = isDirection(named) ? named : directionOfFields(new Set(props.keys()));
  if (direction === undefined) return Object.fromEntries(props);

  const halves = halvesOf(direction);
  const unused = [...(halves.input ? [] : INPUT_FIELDS), ...(halves.output ? [] : OUTPUT_FIELDS)];
  for (const field of unused) {
    if (!props.delete(field)) continue;
    const line = lineOf(entries, field);
    const message = `${field} is ignored, because direction is "${direction}"`;
    warnings.push({ ...(line && { line }), field, rule: "direction", message });
  }
  return { ...Object.fromEntries(props), ...(halves.input && { writer }) };
}

function inOurWords(field: DocumentField, value: string): string {
  if (field === "cloudEnvironment") return cloudNamed(value);
  return field === "direction" ? directionNamed(value) : value;
}

/** The original component takes both directions in either order, and with or without the space. */
function directionNamed(text: string): string {
  const parts = text.split(",").map((part) => part.trim().toLowerCase());
  return parts.sort().join(", ");
}

function mixedReleases({ entries }: Metadata): DocumentProblem[] {
  const firstOfEach = new Map<string, MetadataEntry>();
  const direction = entries.get("direction");
  for (const entry of entries.values()) {
    const { vocabulary } = entry;
    if (vocabulary && !firstOfEach.has(vocabulary)) firstOfEach.set(vocabulary, entry);
  }
  if (direction && firstOfEach.has("earlier") && firstOfEach.size === 1) {
    firstOfEach.set("current", direction);
  }
  if (firstOfEach.size < 2) return [];
  const firsts = [...firstOfEach.values()].sort((a, b) => a.line - b.line);
  const names = firsts.map(({ name, line }) => `${name} (line ${line})`).join(", ");
  const message = `names of different releases are mixed, such as ${names}: keep to one release`;
  return [{ line: firsts[1]?.line ?? 1, rule: "mixed-releases", message }];
}

function located(problem: BindingProblem, { entries, line }: Metadata): DocumentProblem {
  const { field, rule } = problem;
  const at = lineOf(entries, field) ?? line;
  const message = `${problem.message}${alsoKnownAs(field, entries)}${portHint(problem)}`;
  return { ...(at && { line: at }), field, rule, message };
}

function alsoKnownAs(field: string, entries: Metadata["entries"]): string {
  const entry = [...entries.values()].find((candidate) => candidate.field === field);
  return entry && entry.name !== field ? ` (the document calls it ${entry.name})` : "";
}

function portHint({ field, rule }: BindingProblem): string {
  if (field !== "handshakePort" || rule !== "required") return "";
  return '; a component that says nothing listens on "8080"';
}

function lineOf(entries: Metadata["entries"], field: string): number | undefined {
  return [...entries.values()].find((entry) => entry.field === field)?.line;
}

function inOrder(problems: readonly DocumentProblem[]): DocumentProblem[] {
  return [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}
