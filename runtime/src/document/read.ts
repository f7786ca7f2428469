import {
  type BindingField,
  type BindingProps,
  bindingFields,
  type Direction,
  defaultSubscriptionName,
  directionOfFields,
  type InputBindingProps,
  type InputOutputBindingProps,
  isOfDirection,
  type NamedField,
  type OutputBindingProps,
  parseBinding,
  type ValidationOptions,
  type Writer,
} from "../binding/index.js";
import { type Problem, statedProblem } from "../errors.js";
import { showName, withoutRandomWords } from "../validation/index.js";
import { chooseComponent, componentName, headerProblems } from "./header.js";
import { Metadata, type MetadataEntry, type SecretReference, VENDOR_CLOUDS } from "./metadata.js";
import { byLine, documentError, parseSources } from "./source.js";

/**
 * Returns the value of a secret that a document refers to, or undefined if there is no such secret.
 * `store` is the one that the document names in `auth.secretStore`. Bytes, such as those of a file,
 * are decoded as UTF-8.
 *
 * An infrastructure program may return a token for a value that is known only at deployment.
 */
export type ResolveSecret = (
  secret: SecretReference & { readonly store?: string },
) => string | Uint8Array | undefined;

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
  readonly warnings: readonly Problem[];
}

/**
 * Reads a component document: YAML or JSON, with the field names of either release or the vendor's.
 *
 * @throws {ConfigurationError} with everything that is wrong, each with its line
 */
export function readComponentDocument<D extends Direction = Direction>(
  text: string | Uint8Array,
  options?: ReadOptions<D>,
): ComponentDocument<D>;
export function readComponentDocument(
  text: string | Uint8Array,
  options: ReadOptions = {},
): ComponentDocument {
  const { fileName, writer = "client" } = options;
  const source = chooseComponent(parseSources(text, options), fileName);
  const header = headerProblems(source);
  // The fields of another component mean nothing here.
  if (header.some(({ field }) => field === "spec.type" || field === "componentType")) {
    throw documentError(header, { fileName });
  }
  const metadata = new Metadata(source);
  const { direction, used } = chooseFields(metadata, options.direction, writer);
  const store = source.text(source.at("auth"), "secretStore");
  const name = componentName(source);
  const props: Record<string, string> = {};
  let cause: unknown;
  for (const entry of used) {
    const { field, value } = entry;
    const found = typeof value === "object" ? secretOf(entry, value, store, options) : value;
    if (typeof found === "string") props[field] = inOurWords(field, found);
    else if (found !== undefined) {
      metadata.problems.push(found.problem);
      cause ??= found.cause;
    }
  }
  if (options.direction !== undefined) props.direction = options.direction;
  if (direction?.includes("input")) {
    props.writer = writer;
    if (options.existingSubscription) props.eventSubscriptionName ??= defaultSubscriptionName(name);
  }
  const problems = [...header, ...metadata.problems, ...invalidFields(props, metadata, options)];
  const warnings = byLine(metadata.warnings);
  if (problems.length > 0) {
    throw documentError(problems, {
      fileName,
      warnings,
      ...(cause !== undefined && { cause }),
    });
  }
  const definition: Partial<Record<BindingField, string>> = props;
  return { name, props: definition as BindingProps as PropsOf<Direction>, warnings };
}

/** Chooses the fields of the requested direction, or of the one that the document has. */
function chooseFields(
  { entries, problems, warnings }: Metadata,
  requested: Direction | undefined,
  writer: Writer,
) {
  const given = [...entries.values()].filter(
    ({ field, value }) =>
      value !== undefined && !(field === "cloudClientSecret" && writer === "deployer"),
  );
  const own = entries.get("direction");
  const named = namedDirection(own);
  if (own && requested && named && named !== requested && named !== "input, output") {
    const message = `direction is "${named}", but "${requested}" is requested`;
    problems.push({ line: own.line, ...statedProblem("direction", { direction: message }) });
  }
  const isGiven = (name: string) => given.some(({ field }) => field === name);
  const direction = requested ?? named ?? directionOfFields(bindingFields, isGiven);
  const used = given.filter(
    ({ field }) => direction === undefined || isOfDirection(bindingFields[field], direction),
  );
  const ignored = requested === undefined ? given.filter((entry) => !used.includes(entry)) : [];
  for (const { line, field, name } of ignored) {
    const message = `${name} is ignored, because direction is "${direction}"`;
    warnings.push({ line, ...statedProblem(field, { direction: message }) });
  }
  return { direction, used };
}

function namedDirection(entry: MetadataEntry | undefined): Direction | undefined {
  const direction =
    typeof entry?.value === "string" ? inOurWords("direction", entry.value) : undefined;
  return bindingFields.direction.rule.test(direction) ? (direction as Direction) : undefined;
}

/** The value of a field in the words of the props. */
function inOurWords(field: BindingField, value: string): string {
  const lower = value.toLowerCase();
  if (field === "cloudEnvironment") {
    const clouds = Object.entries(VENDOR_CLOUDS);
    // A sidecar accepts AzureChina as well as AzureChinaCloud.
    const isNamed = (name: string) => [lower, `${lower}cloud`].includes(name.toLowerCase());
    return clouds.find((names) => names.some(isNamed))?.[0] ?? value;
  }
  if (field !== "direction") return value;
  // The original component accepts any order and case, with or without spaces.
  const directions = lower.split(",").map((part) => part.trim());
  return directions.sort().join(", ");
}

/** The secret that an entry refers to, or why it is not known. */
function secretOf(
  { line, field, name }: MetadataEntry,
  reference: SecretReference,
  store: string | undefined,
  { resolveSecret }: ReadOptions,
): string | { readonly problem: Problem; readonly cause?: unknown } {
  const failure = (why: string) => {
    const shown = showName(`${reference.name}/${reference.key}`);
    const message = `${name} refers to the secret ${shown}, ${why}`;
    return { problem: { line, ...statedProblem(field, { "secret-reference": message }) } };
  };
  if (resolveSecret === undefined) return failure("but set the option resolveSecret");
  try {
    const value = resolveSecret({ ...reference, ...(store !== undefined && { store }) });
    if (value instanceof Uint8Array) return new TextDecoder().decode(value);
    return typeof value === "string" ? value : failure("but there is no such secret");
  } catch (cause) {
    // A secret store may quote what it has found.
    const reason = withoutRandomWords(cause instanceof Error ? cause.message : String(cause));
    return { ...failure(`which could not be read: ${reason}`), cause };
  }
}

/** The problems of the fields, with their lines and in the names of the document. */
function invalidFields(
  props: Readonly<Record<string, string>>,
  metadata: Metadata,
  options: ReadOptions,
): Problem[] {
  const { line: listLine, problems } = metadata;
  // Without a list, or without the requested direction, every field would be reported as missing.
  if (listLine === undefined || problems.some(({ rule }) => rule === "direction")) return [];
  const wording = { nameOf: ({ name }: NamedField) => metadata.nameOf(name), hasSwitches: false };
  const unreadable = new Set(problems.map(({ field }) => field));
  const parsed = parseBinding(props, options, bindingFields, wording);
  if (!Array.isArray(parsed)) return [];
  return (
    parsed
      // A field whose value cannot be read is not missing.
      .filter(({ rule, field }) => rule !== "required" || !unreadable.has(field))
      .map((problem) => ({
        ...problem,
        line: metadata.entries.get(problem.field)?.line ?? listLine,
      }))
  );
}
