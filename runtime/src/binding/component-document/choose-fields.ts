import {
  bindingFields,
  directionOfFields,
  type FieldTable,
  isOfDirection,
} from "../fields/index.js";
import type { Direction, Writer } from "../props.js";
import { directionRule } from "../rules/index.js";
import type { DocumentProblem } from "./component-document-error.js";
import { cloudNamed } from "./field-names.js";
import type { Metadata, MetadataEntry } from "./metadata.js";

/** The fields of a document that become props. */
interface FieldChoice {
  /** The direction that is read; undefined if no field implies one. */
  readonly direction: Direction | undefined;
  /** The entries of that direction. */
  readonly used: readonly MetadataEntry[];
  readonly problems: readonly DocumentProblem[];
  readonly warnings: readonly DocumentProblem[];
}

const fields: FieldTable = bindingFields;

/** Chooses the fields of the requested direction, or of the one that the document has. */
export function chooseFields(
  { entries }: Metadata,
  requested: Direction | undefined,
  writer: Writer,
): FieldChoice {
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
    direction,
    used,
    problems: lackingDirection(entries, requested, named),
    warnings: [
      ...mixedReleases(entries),
      ...(requested === undefined ? filled.filter(isUnused).map(ignored(direction)) : []),
    ],
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

/** The value of a field in the words of the props. */
export function inOurWords(field: string, value: string): string {
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
  const firstOfEach = new Map<string, MetadataEntry>();
  for (const entry of entries.values()) {
    const { vocabulary } = entry;
    if (vocabulary && !firstOfEach.has(vocabulary)) firstOfEach.set(vocabulary, entry);
  }
  const direction = entries.get("direction");
  if (direction && firstOfEach.has("earlier") && firstOfEach.size === 1) {
    firstOfEach.set("current", direction);
  }
  const firsts = [...firstOfEach.values()].sort((a, b) => a.line - b.line);
  const [, second] = firsts;
  if (second === undefined) return [];
  const { line, field } = second;
  const names = firsts.map((entry) => `${entry.name} (line ${entry.line})`).join(", ");
  const message = `names of different releases are mixed, such as ${names}: use the names of one`;
  return [{ line, field, rule: "mixed-releases", message }];
}
