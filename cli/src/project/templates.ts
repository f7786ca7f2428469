import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { groupsOf } from "cloud-eventgrid-binding-runtime/internal";

/** The parts of `cli/templates` that a project consists of. */
export interface Composition {
  /** Folders of `cli/templates`. A file replaces that of an earlier folder, see {@link compose}. */
  readonly folders: readonly string[];
  /** The choices whose lines are kept: those that end in `// if both`. */
  readonly choices: Choices;
  /** The values that replace those of the templates: `orders`, `9000`. */
  readonly values: Readonly<Record<string, string>>;
}

/** Choices that decide on single lines of a template. */
export type Choices = Readonly<Partial<Record<Choice, boolean>>>;

type Choice =
  | "both"
  | "component"
  | "receives"
  | "webhook"
  | "own-identity"
  | "stack-identity"
  | "app-identity"
  | "workload-identity"
  | "publishes"
  | "pull"
  | "topic"
  | "storage"
  | "own-topic"
  | "group"
  | "group-webhook"
  | "scope"
  | "no-resources"
  | "container-apps"
  | "packages"
  | "adopt"
  | "secrets"
  | "secret-endpoint"
  | "known-events"
  | "example-events"
  | "system-events"
  | "own-events";

export type Files = Record<string, string>;

const TEMPLATES = join(__dirname, "../../templates");

/** npm does not pack files with these names, so they are stored without the dot. */
const DOTFILES = ["gitignore", "dockerignore"];

/**
 * The files of a project. Of several files with one path the last is used, except that sections of
 * `README.md` are joined, and the fields of `package.json` are merged.
 */
export function compose({ folders, choices, values }: Composition): Files {
  const files: Files = {};
  for (const folder of folders) {
    for (const [path, text] of Object.entries(filesIn(join(TEMPLATES, folder)))) {
      files[path] = joined(path, files[path], text);
    }
  }
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      replaced(DOTFILES.includes(path) ? `.${path}` : path, values),
      replaced(withChoices(text, choices), values),
    ]),
  );
}

function filesIn(folder: string): Files {
  // Without types: Yarn keeps the folder in an archive, whose entries have relative paths.
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => statSync(join(folder, path)).isFile())
      .sort()
      .map((path) => [path.replaceAll(sep, "/"), readFileSync(join(folder, path), "utf8")]),
  );
}

function joined(path: string, earlier: string | undefined, text: string): string {
  if (earlier === undefined) return text;
  if (path === "README.md") return earlier + text;
  if (path === "package.json") return json(merged(JSON.parse(earlier), JSON.parse(text)));
  return text;
}

/** The end of a line that belongs to a choice, as a comment in TypeScript, YAML or Markdown. */
const MARK = /\s*(?:\/\/|#|<!--) if ([a-z-]+)(?: -->)?$/;

/** Leaves out the lines of other choices, and the marks. */
function withChoices(text: string, choices: Readonly<Record<string, boolean | undefined>>): string {
  return text
    .split("\n")
    .filter((line) => {
      const [choice] = groupsOf(MARK, line);
      return choice === "" || choices[choice] === true;
    })
    .map((line) => line.replace(MARK, ""))
    .join("\n")
    .replace(IMPORT_LIST, (list) => {
      const line = list.replace(/\s+/g, " ").replace(", }", " }");
      return line.length <= 100 ? line : list;
    });
}

/** An import over several lines, which may fit on one when some of its names are left out. */
const IMPORT_LIST = /^import \{\n(?: {2}.*\n)+\} from .*$/gm;

/** Replaces whole words only: `orders`, and not a part of `borders`. */
function replaced(text: string, values: Readonly<Record<string, string>>): string {
  const longestFirst = Object.keys(values).sort((a, b) => b.length - a.length);
  const pattern = longestFirst.map((key) => key.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  const word = new RegExp(`(?<![A-Za-z0-9])(?:${pattern})(?![A-Za-z0-9])`, "g");
  return text.replace(word, (key) => values[key] ?? key);
}

interface Json {
  readonly [field: string]: string | boolean | Json;
}

/** Merges two manifests. Dependencies are in npm's order, so that `npm install` changes nothing. */
function merged(first: Json, second: Json): Json {
  const result = { ...first };
  for (const [field, value] of Object.entries(second)) {
    const before = result[field];
    const both = typeof before === "object" && typeof value === "object";
    result[field] = both ? merged(before, value) : value;
  }
  const { devDependencies, dependencies } = result;
  return {
    ...result,
    ...(typeof dependencies === "object" && { dependencies: byName(dependencies) }),
    ...(typeof devDependencies === "object" && {
      devDependencies: byName(without(devDependencies, dependencies)),
    }),
  };
}

/** Leaves out the development dependencies that the service needs itself. */
function without(devDependencies: Json, dependencies: Json[string] = {}): Json {
  const entries = Object.entries(devDependencies);
  return Object.fromEntries(entries.filter(([name]) => !(name in Object(dependencies))));
}

function byName(dependencies: Json): Json {
  return Object.fromEntries(Object.entries(dependencies).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
