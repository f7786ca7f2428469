import { existsSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import { globSync, isDynamicPattern } from "tinyglobby";
import { readText } from "../files.js";
import { CommandError, standardInput, type Terminal } from "../terminal/index.js";

/** A text with component documents. */
export interface Source {
  /** The file as messages name it. */
  readonly file: string;
  readonly text: string;
  /** Whether a folder contains it, next to files that may be anything else. */
  readonly isOfFolder: boolean;
}

/** The argument that stands for standard input. */
const STANDARD_INPUT = "-";

/**
 * Reads the files that the user named: files, folders, patterns such as `components/*.yaml`, which not
 * every shell expands, and `-` for standard input.
 *
 * @throws {CommandError} when a file cannot be read, or when there is none
 */
export async function readSources(names: readonly string[], terminal: Terminal): Promise<Source[]> {
  const { directory } = terminal;
  const sources: Source[] = [];
  for (const name of names) {
    if (name === STANDARD_INPUT) {
      sources.push({ file: "<stdin>", text: await standardInput(terminal), isOfFolder: false });
      continue;
    }
    for (const { file, isOfFolder } of filesOf(name, directory)) {
      sources.push({ file, text: readText(directory, file), isOfFolder });
    }
  }
  return sources;
}

function filesOf(name: string, directory: string): Omit<Source, "text">[] {
  const path = resolve(directory, name);
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) return [{ file: name, isOfFolder: false }];
    const files = matching("**/*.{yaml,yml,json}", path);
    if (files.length === 0) throw new CommandError(`${name} contains no YAML or JSON files`);
    const folder = name.replace(/[\\/]*$/, "");
    return files.map((file) => ({ file: `${folder}/${file}`, isOfFolder: true }));
  }
  // A backslash separates folders on Windows, and escapes a character in a pattern.
  const pattern = name.split(sep).join("/");
  if (!isDynamicPattern(pattern)) return [{ file: name, isOfFolder: false }];
  const files = matching(pattern, directory);
  if (files.length === 0) throw new CommandError(`no file matches ${name}`);
  return files.map((file) => ({ file, isOfFolder: false }));
}

function matching(pattern: string, cwd: string): string[] {
  const ignore = ["**/node_modules/**"];
  return globSync(pattern, { cwd, ignore, expandDirectories: false }).sort();
}
