import { existsSync, readdirSync } from "node:fs";
import { writeFiles } from "../files.js";
import { CommandError } from "../terminal/index.js";

/**
 * Writes a project's files.
 *
 * @throws {CommandError} when the folder is not empty, unless `overwrite` allows it
 */
export function writeProject(
  folder: string,
  files: Readonly<Record<string, string>>,
  overwrite: boolean,
): void {
  const isUsed = existsSync(folder) && readdirSync(folder).some((name) => name !== ".git");
  if (isUsed && !overwrite) {
    throw new CommandError(`${folder} is not empty: choose another folder, or add --force`);
  }
  writeFiles(folder, files);
}

/** The commands that use a new project, for a shell in the directory that contains `folder`. */
export function nextCommands(folder: string): string {
  const shown = /^[\w./-]+$/.test(folder) ? folder : JSON.stringify(folder);
  const change = folder === "." ? "" : `cd ${shown} && `;
  return `${change}npm install && npm test`;
}
