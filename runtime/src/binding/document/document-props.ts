import {
  directionOfFields,
  halvesOf,
  INPUT_FIELDS,
  isDirection,
  OUTPUT_FIELDS,
} from "../direction.js";
import type { Direction, Writer } from "../props.js";
import type { Metadata, MetadataEntry } from "./metadata.js";
import type { DocumentProblem } from "./problem.js";
import type { ResolveSecret } from "./secret-reference.js";
import { cloudNamed } from "./vocabulary.js";

interface DocumentProps {
  /** Not validated yet. */
  readonly props: Readonly<Record<string, string>>;
  readonly problems: readonly DocumentProblem[];
  readonly warnings: readonly DocumentProblem[];
}

interface DocumentPropsOptions {
  readonly direction?: Direction;
  readonly writer?: Writer;
  readonly existingSubscription?: boolean;
  readonly resolveSecret?: ResolveSecret;
}

/**
 * Makes props of a document's fields: in our words, of the direction that is wanted or that it
 * chooses, and with the secrets looked up that are used.
 *
 * @param name the component's name, which its event subscription has by default
 */
export function documentProps(
  metadata: Metadata,
  name: string,
  options: DocumentPropsOptions,
): DocumentProps {
  const { writer = "client", existingSubscription = false, resolveSecret } = options;
  const { direction, used, ignored } = usedEntries(metadata, writer, options.direction);
  const problems = lackingHalf(metadata, options.direction);
  const warnings = mixedReleases(metadata);
  if (options.direction === undefined) {
    for (const { field, line } of ignored) {
      const message = `${field} is ignored, because direction is "${direction}"`;
      warnings.push({ line, field, rule: "direction", message });
    }
  }
  const props: Record<string, string> = {};
  for (const entry of used) {
    const { field, line } = entry;
    const value = usedValue(entry, metadata.secretStore, resolveSecret);
    if (typeof value === "object") problems.push({ line, field, rule: "secret", ...value });
    else if (value !== undefined) props[field] = value;
  }
  if (options.direction !== undefined) props.direction = options.direction;
  if (direction !== undefined && halvesOf(direction).input) {
    props.writer = writer;
    if (existingSubscription) props.eventSubscriptionName ??= name;
  }
  return { props, problems, warnings };
}

function usedEntries({ entries }: Metadata, writer: Writer, wanted: Direction | undefined) {
  const filled = [...entries.values()].filter(
    ({ field, value }) =>
      value !== undefined && !(field === "cloudClientSecret" && writer === "deployer"),
  );
  const direction =
    wanted ??
    namedDirection(entries) ??
    directionOfFields(new Set(filled.map(({ field }) => field)));
  const halves = halvesOf(direction ?? "input, output");
  const unused = new Set<string>([
    ...(halves.input ? [] : INPUT_FIELDS),
    ...(halves.output ? [] : OUTPUT_FIELDS),
  ]);
  return {
    direction,
    used: filled.filter(({ field }) => !unused.has(field)),
    ignored: filled.filter(({ field }) => unused.has(field)),
  };
}

function namedDirection(entries: Metadata["entries"]): Direction | undefined {
  const value = entries.get("direction")?.value;
  const direction = typeof value === "string" ? directionNamed(value) : undefined;
  return isDirection(direction) ? direction : undefined;
}

/** Says that the document rules a wanted half out; one that it lacks shows as missing fields. */
function lackingHalf({ entries }: Metadata, wanted: Direction | undefined): DocumentProblem[] {
  const named = namedDirection(entries);
  const line = entries.get("direction")?.line;
  if (wanted === undefined || named === undefined || line === undefined) return [];
  if (named === wanted || named === "input, output") return [];
  const message = `direction is "${named}", but "${wanted}" is wanted`;
  return [{ line, field: "direction", rule: "direction", message }];
}

/** @returns the value, or why there is none */
function usedValue(
  { field, name, value }: MetadataEntry,
  store: string | undefined,
  resolveSecret: ResolveSecret | undefined,
): string | undefined | { readonly message: string } {
  if (typeof value !== "object") return value === undefined ? value : inOurWords(field, value);
  const what = `${name} refers to the secret ${value.name}/${value.key}`;
  if (resolveSecret === undefined) {
    return { message: `${what}: say how to look it up (resolveSecret)` };
  }
  const secret = resolveSecret({ ...value, ...(store !== undefined && { store }) });
  return secret ?? { message: `${what}, which was not found` };
}

function inOurWords(field: string, value: string): string {
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
