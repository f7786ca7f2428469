import {
  bindingFields,
  directionOfFields,
  type FieldTable,
  hasInput,
  isOfDirection,
} from "../fields/index.js";
import type { Direction, Writer } from "../props.js";
import { defaultSubscriptionName, directionRule } from "../rules/index.js";
import type { DocumentProblem } from "./component-document-error.js";
import { cloudNamed } from "./field-names.js";
import type { Metadata, MetadataEntry } from "./metadata.js";

/** The fields of a document that become props. */
export interface FieldChoice {
  /** The entries of the direction that is read. */
  readonly used: readonly MetadataEntry[];
  readonly problems: readonly DocumentProblem[];
  readonly warnings: readonly DocumentProblem[];
  /**
   * The props, not validated yet.
   *
   * @param name the component's name, from which that of its event subscription comes by default
   * @param secretOf the value of a field that is a reference; undefined if it is not known
   */
  propsWith(
    name: string,
    secretOf: (field: string) => string | undefined,
  ): Readonly<Record<string, string>>;
}

interface ChoiceOptions {
  readonly direction?: Direction;
  readonly writer?: Writer;
  readonly existingSubscription?: boolean;
}

const fields: FieldTable = bindingFields;

/** Chooses the fields of the requested direction, or of the one that the document has. */
export function chooseFields({ entries }: Metadata, options: ChoiceOptions): FieldChoice {
  const { writer = "client", existingSubscription = false, direction: requested } = options;
  const filled = [...entries.values()].filter(
    ({ field, value }) =>
      value !== undefined && !(field === "cloudClientSecret" && writer === "deployer"),
  );
  const named = namedDirection(entries);
  const filledNames = new Set(filled.map(({ field }) => field));
  const direction =
    requested ?? named ?? directionOfFields(fields, (field) => filledNames.has(field));
  const isUnused = ({ field: name }: MetadataEntry) => {
    const field = fields[name];
    return direction !== undefined && field !== undefined && !isOfDirection(field, direction);
  };
  const used = filled.filter((entry) => !isUnused(entry));
  return {
    used,
    problems: lackingDirection(entries, requested, named),
    warnings: [
      ...mixedReleases(entries),
      ...(requested === undefined ? filled.filter(isUnused).map(ignored(direction)) : []),
    ],
    propsWith(name, secretOf) {
      const props: Record<string, string> = {};
      for (const { field, value } of used) {
        const text = typeof value === "object" ? secretOf(field) : value;
        if (text !== undefined) props[field] = inOurWords(field, text);
      }
      if (requested !== undefined) props.direction = requested;
      if (direction !== undefined && hasInput(direction)) {
        props.writer = writer;
        if (existingSubscription) props.eventSubscriptionName ??= defaultSubscriptionName(name);
      }
      return props;
    },
  };
}

type Entries = Metadata["entries"];

function namedDirection(entries: Entries): Direction | undefined {
  const value = entries.get("direction")?.value;
  const direction = typeof value === "string" ? directionNamed(value) : undefined;
  return directionRule.test(direction) ? (direction as Direction) : undefined;
}

/** Reports that the document excludes the requested direction. */
function lackingDirection(
  entries: Entries,
  requested: Direction | undefined,
  named: Direction | undefined,
): DocumentProblem[] {
  const entry = entries.get("direction");
  if (requested === undefined || named === undefined || entry === undefined) return [];
  if (named === requested || named === "input, output") return [];
  const message = `direction is "${named}", but "${requested}" is requested`;
  return [{ line: entry.line, field: "direction", rule: "direction", message }];
}

function ignored(direction: Direction | undefined) {
  return ({ line, field, name }: MetadataEntry): DocumentProblem => {
    const message = `${name} is ignored, because direction is "${direction}"`;
    return { line, field, rule: "direction", message };
  };
}

function inOurWords(field: string, value: string): string {
  if (field === "cloudEnvironment") return cloudNamed(value);
  return field === "direction" ? directionNamed(value) : value;
}

/** The original component accepts the directions in any order and case, with or without spaces. */
function directionNamed(text: string): string {
  return text
    .split(",")
    .map((part) => part.trim().toLowerCase())
    .sort()
    .join(", ");
}

function mixedReleases(entries: Entries): DocumentProblem[] {
  const firstByField = new Map<string, MetadataEntry>();
  for (const entry of entries.values()) {
    const { vocabulary } = entry;
    if (vocabulary && !firstByField.has(vocabulary)) firstByField.set(vocabulary, entry);
  }
  const direction = entries.get("direction");
  if (direction && firstByField.has("earlier") && firstByField.size === 1) {
    firstByField.set("current", direction);
  }
  if (firstByField.size < 2) return [];
  const firsts = [...firstByField.values()].sort((a, b) => a.line - b.line);
  const names = firsts.map(({ name, line }) => `${name} (line ${line})`).join(", ");
  const message = `names of different releases are mixed, such as ${names}: use the names of one`;
  const [, second] = firsts;
  return second === undefined
    ? []
    : [{ line: second.line, field: second.field, rule: "mixed-releases", message }];
}
