import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { writeFiles } from "../files.js";
import { CommandError } from "../terminal/index.js";
import { withPackedPackages } from "./packages.js";
import type { Files } from "./templates.js";

/** @throws {CommandError} when a folder is not empty, unless `overwrite` allows it */
export function requireEmpty(folder: string, overwrite: boolean): void {
  const isUsed = existsSync(folder) && readdirSync(folder).some((name) => name !== ".git");
  if (isUsed && !overwrite) {
    const name = basename(folder);
    throw new CommandError(`${name} is not empty: choose another folder, or add --force`);
  }
}

/**
 * Writes projects, each with the packages that it installs from files.
 *
 * @param projects their files, by the folders below `folder`; `""` is `folder` itself
 * @param packages the folder with packed packages; `undefined` for npm's registry
 * @param terraform the program that deploys, which the templates call `terraform`
 * @returns the paths of the written files in `folder`
 */
export function writeProjects(
  folder: string,
  projects: Readonly<Record<string, Files>>,
  packages: string | undefined,
  terraform: string,
): readonly string[] {
  const complete = Object.entries(projects).map(([name, templates]) => {
    const files = Object.fromEntries(
      Object.entries(templates).map(([path, text]) => [
        path,
        text.replaceAll("terraform -chdir", `${terraform} -chdir`),
      ]),
    );
    return { name, ...(packages === undefined ? { files } : withPackedPackages(files, packages)) };
  });
  for (const { name, files, ...packed } of complete) {
    writeFiles(join(folder, name), files);
    if ("copyTo" in packed) packed.copyTo(join(folder, name));
  }
  return complete
    .flatMap(({ name, files }) =>
      Object.keys(files).map((file) => (name ? `${name}/${file}` : file)),
    )
    .sort();
}

/** The commands that use a new project, for a shell in the directory that contains `folder`. */
export function nextCommands(folder: string): string {
  const shown = /^$|[^\w./-]/.test(folder) ? JSON.stringify(folder) : folder;
  const change = folder === "." ? "" : `cd ${shown} && `;
  return `${change}npm install && npm test`;
}
