import { type BindingField, bindingFields, type FieldTable, hasInput } from "../fields/index.js";
import { fieldProblems, type ValidationOptions } from "../parsing/index.js";
import type {
  BindingProps,
  Direction,
  InputBindingProps,
  InputOutputBindingProps,
  OutputBindingProps,
  Writer,
} from "../props.js";
import { defaultSubscriptionName } from "../rules/index.js";
import { chooseFields, inOurWords } from "./choose-fields.js";
import {
  byLine,
  ComponentDocumentError,
  type DocumentProblem,
} from "./component-document-error.js";
import { chooseComponent, componentName, headerProblems } from "./header.js";
import { type Metadata, readMetadata } from "./metadata.js";
import { type ResolveSecret, resolveSecret, type SecretFailure } from "./secrets.js";
import { parseSources } from "./source.js";

/** How a component document is read. */
export interface ReadOptions<D extends Direction = Direction> extends ValidationOptions {
  /**
   * The direction to read, if the document may have more; the type of the props follows it.
   *
   * @default the direction of the document
   */
  readonly direction?: D;
  /**
   * Whether to take over the event subscription that the component made. Its name may contain
   * hyphens, and is the component's own name if the document has none.
   *
   * @default false
   */
  readonly existingSubscription?: boolean;
  /**
   * Looks up the secrets that the document refers to.
   *
   * @default a reference is a problem
   */
  readonly resolveSecret?: ResolveSecret;
  /**
   * Name of the component to read, if the text contains several documents.
   *
   * @default the only document, or the only Event Grid binding among several
   */
  readonly component?: string;
  /**
   * Name of the file, for messages.
   *
   * @default messages contain the line only
   */
  readonly fileName?: string;
  /**
   * Line of the file on which the text begins, if it is a part of the file.
   *
   * @default 1
   */
  readonly firstLine?: number;
  /**
   * Who writes the event subscription from now on. The original component writes it itself, as the
   * client; with `"deployer"` the document's client secret is left out.
   *
   * @default "client"
   */
  readonly writer?: Writer;
}

type PropsOf<D extends Direction> = D extends "input"
  ? InputBindingProps
  : D extends "output"
    ? OutputBindingProps
    : InputOutputBindingProps;

/** The content of a component document. */
export interface ComponentDocument<D extends Direction = Direction> {
  /** The component's name. */
  readonly name: string;
  readonly props: PropsOf<D>;
  /** Remarks about a document that can be read, such as unknown fields. */
  readonly warnings: readonly DocumentProblem[];
}

/**
 * Reads a component document: YAML or JSON, with the field names of either release or the vendor's.
 *
 * @throws {ComponentDocumentError} with everything that is wrong, each with its line
 */
export function readComponentDocument<D extends Direction = Direction>(
  text: string | Uint8Array,
  options?: ReadOptions<D>,
): ComponentDocument<D>;
export function readComponentDocument(
  text: string | Uint8Array,
  options: ReadOptions = {},
): ComponentDocument {
  const { component, fileName, direction, writer = "client" } = options;
  const source = chooseComponent(parseSources(text, options), component, fileName);
  const metadata = readMetadata(source);
  const choice = chooseFields(metadata, direction, writer);
  const name = componentName(source);
  const props: Record<string, string> = {};
  const failures: SecretFailure[] = [];
  const store = source.text(source.at("auth"), "secretStore");
  for (const entry of choice.used) {
    const { field, value } = entry;
    const found =
      typeof value === "object" ? resolveSecret(entry, value, store, options.resolveSecret) : value;
    if (typeof found === "object") failures.push(found);
    else if (found !== undefined) props[field] = inOurWords(field, found);
  }
  if (direction !== undefined) props.direction = direction;
  if (choice.direction !== undefined && hasInput(choice.direction)) {
    props.writer = writer;
    if (options.existingSubscription) props.eventSubscriptionName ??= defaultSubscriptionName(name);
  }
  const unreadable = [
    ...metadata.problems,
    ...choice.problems,
    ...failures.map(({ problem }) => problem),
  ];
  const header = headerProblems(source);
  // The fields of another component mean nothing here.
  const isForeign =
    header.some(({ field }) => field === "spec.type") && metadata.entries.size === 0;
  const warnings = isForeign ? [] : byLine([...metadata.warnings, ...choice.warnings]);
  // Without a list, or without the requested direction, every field would be reported as missing.
  const isHopeless = metadata.line === undefined || choice.problems.length > 0 || isForeign;
  const problems = [
    ...header,
    ...unreadable,
    ...(isHopeless ? [] : invalidFields(props, metadata, unreadable, options)),
  ];
  if (problems.length > 0) {
    throw new ComponentDocumentError(problems, { fileName, warnings, ...causeOf(failures) });
  }
  const definition: Partial<Record<BindingField, string>> = props;
  return { name, props: definition as BindingProps as PropsOf<Direction>, warnings };
}

const fields: FieldTable = bindingFields;

function invalidFields(
  props: Readonly<Record<string, string>>,
  metadata: Metadata,
  unreadable: readonly DocumentProblem[],
  options: ReadOptions,
): DocumentProblem[] {
  const { entries, line, nameOf } = metadata;
  return (
    fieldProblems(props, options, bindingFields, { nameOf, hasSwitches: false })
      // A field whose value cannot be read is not missing.
      .filter(
        ({ rule, field }) =>
          rule !== "required" || !unreadable.some((problem) => problem.field === field),
      )
      .map((problem) => {
        const at = entries.get(problem.field)?.line ?? line;
        const message = `${problem.message}${originalDefault(problem)}`;
        return { ...problem, message, ...(at !== undefined && { line: at }) };
      })
  );
}

function originalDefault({ field, rule }: DocumentProblem): string {
  const value = fields[field]?.originalDefault;
  if (value === undefined || rule !== "required") return "";
  return `; the original component uses "${value}" by default`;
}

function causeOf(failures: readonly SecretFailure[]): ErrorOptions {
  const causes = failures.flatMap((failure) => ("cause" in failure ? [failure.cause] : []));
  if (causes.length < 2) return causes.length === 0 ? {} : { cause: causes[0] };
  return { cause: new AggregateError(causes, "several secrets could not be read") };
}
