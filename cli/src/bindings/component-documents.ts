import {
  readComponentDocument,
  type SecretReference,
} from "cloud-eventgrid-binding-runtime/document";
import {
  type BindingProps,
  ConfigurationError,
  type Problem,
  statedProblem,
  withoutStart,
} from "cloud-eventgrid-binding-runtime/internal";
import { isMap, isSeq, LineCounter, Parser, parseDocument } from "yaml";

/** One component document of a file, or the reasons why it cannot be read. */
export type Component =
  | ReadComponent
  | (ComponentDocument & { readonly name?: string; readonly props?: undefined });

export interface ReadComponent extends ComponentDocument {
  readonly name: string;
  /** The binding's props. A secret that the document refers to has a placeholder as its value. */
  readonly props: BindingProps;
}

interface ComponentDocument {
  readonly file: string;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** The secrets that the document refers to, by field. */
  readonly references: Readonly<Partial<Record<SecretField, SecretReference>>>;
}

/** The fields that hold secrets. */
export type SecretField = "accessKey" | "cloudClientSecret";

export interface ComponentOptions {
  /** @see ReadOptions.writer */
  readonly writer?: "deployer" | "client";
  /** @see ReadOptions.existingSubscription */
  readonly existingSubscription?: boolean;
}

/**
 * Reads every Event Grid binding of a text with one or several documents. Other documents are left
 * out, unless the text has no binding at all.
 */
export function readComponents(
  text: string,
  file: string,
  options: ComponentOptions = {},
): Component[] {
  const parts = documentsOf(text);
  if (parts.length < 2) return [readComponent(text, file, options)];
  const components = parts.map((part) =>
    readComponent(part.text, file, { ...options, firstLine: part.firstLine }),
  );
  const bindings = components.filter((component) => !isOtherDocument(component));
  if (bindings.length === 0) return [readComponent(text, file, options)];
  return withoutTwins(bindings);
}

/** Reports whether a document could be read, and has no problems. */
export function isValid(component: Component): component is ReadComponent {
  return component.problems.length === 0;
}

/** Reports whether a document is something else than an Event Grid binding. */
export function isOtherDocument({ problems }: Component): boolean {
  return problems.some(
    ({ field, rule }) => field === "spec.type" || (field === "document" && rule === "shape"),
  );
}

/** Reports the second of two components with one name, which replaces the first when both are deployed. */
function withoutTwins(components: readonly Component[]): Component[] {
  const names = new Set<string>();
  return components.map((component) => {
    const { name, problems } = component;
    if (name === undefined || !names.has(name)) {
      if (name !== undefined) names.add(name);
      return component;
    }
    const message = `another component of the file has the name "${name}"`;
    const twin: Problem = statedProblem("metadata.name", { component: message });
    return { ...component, problems: [...problems, twin] };
  });
}

/** The documents of a text, which are parsed alone so that many take no longer than as many files. */
function documentsOf(text: string): { readonly text: string; readonly firstLine: number }[] {
  const starts: number[] = [];
  let start: number | undefined;
  for (const token of new Parser().parse(text)) {
    if (token.type !== "directive" && token.type !== "document") continue;
    start ??= token.offset;
    if (token.type !== "document") continue;
    starts.push(start);
    start = undefined;
  }
  let firstLine = 1;
  return starts.map((_, i) => {
    const part = text.slice(i === 0 ? 0 : starts[i], starts[i + 1]);
    const document = { text: part, firstLine };
    firstLine += part.split("\n").length - 1;
    return document;
  });
}

function readComponent(
  text: string,
  file: string,
  options: ComponentOptions & { readonly firstLine?: number },
): Component {
  const placeholders = new Map<string | undefined, SecretReference>();
  const resolveSecret = ({ name, key }: SecretReference) => {
    const placeholder = `reference-${placeholders.size + 1}`;
    placeholders.set(placeholder, { name, key });
    return placeholder;
  };
  try {
    const { name, props, warnings } = readComponentDocument(text, { ...options, resolveSecret });
    const accessKey = placeholders.get(props.accessKey);
    const cloudClientSecret = placeholders.get(props.cloudClientSecret);
    const references = {
      ...(accessKey && { accessKey }),
      ...(cloudClientSecret && { cloudClientSecret }),
    };
    const plain = plainSecrets(props, references, text, options.firstLine);
    return { file, name, props, problems: [], warnings: [...warnings, ...plain], references };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const { warnings } = error;
    const problems = error.problems.map(namingOptions);
    // Among several, the line alone does not say which component it is.
    const name = options.firstLine === undefined ? undefined : nameIn(text);
    return { file, ...(name !== undefined && { name }), problems, warnings, references: {} };
  }
}

function nameIn(text: string): string | undefined {
  const document = parseDocument(text);
  const name = document.errors.length > 0 ? undefined : document.getIn(["metadata", "name"]);
  return typeof name === "string" ? name : undefined;
}

/** The option of the runtime has a name of its own on the command line. */
function namingOptions(problem: Problem): Problem {
  const message = problem.message.replace("(existingSubscription)", "(convert --adopted)");
  return { ...problem, message };
}

function plainSecrets(
  props: BindingProps,
  references: Component["references"],
  text: string,
  firstLine = 1,
): Problem[] {
  const fields: readonly SecretField[] = ["accessKey", "cloudClientSecret"];
  return fields
    .filter((field) => props[field] !== undefined && references[field] === undefined)
    .map((field) => {
      const { name = field, line } = metadataIn(text, field);
      const message = `${name} is in the document as plain text: use a secretKeyRef`;
      return {
        ...(line && { line: line + firstLine - 1 }),
        ...statedProblem(name, { secret: message }),
      };
    });
}

/** Finds the name under which a document has a field, and where: `cloudClientSecret` is also known as `azureClientSecret`. */
function metadataIn(text: string, field: SecretField): { name?: string; line?: number } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const metadata = document.errors.length > 0 ? undefined : document.getIn(["spec", "metadata"]);
  const ending = withoutStart(field, "cloud").toLowerCase();
  for (const item of isSeq(metadata) ? metadata.items : []) {
    const name = isMap(item) ? item.get("name") : undefined;
    if (typeof name !== "string" || !isMap(item) || item.range == null) continue;
    if (!name.toLowerCase().endsWith(ending)) continue;
    return { name, line: lines.linePos(item.range[0]).line };
  }
  return {};
}
