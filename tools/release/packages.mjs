/** The packages of this repository. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The folders of the published packages, in the order of publication: each after those that it needs,
 * so that a release that stops half-way leaves nothing on the registry that cannot be installed.
 */
export const publishedFolders = ["runtime", "local", ".", "cdktn", "cli", "create"];

/** All folders with a package.json. The package for cdktn is no workspace, see docs/contributing/architecture.md. */
export const folders = [".", "cdktn", ...readManifest(".").workspaces];

export function readManifest(folder) {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
}

export function writeManifest(folder, manifest) {
  writeFileSync(join(root, folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** What the pages say while the packages are not on npm, up to the next empty line. */
export const NOTICE = /^> Not published on npm yet: .*\n(?:>.*\n)*\n?/gm;

/** The section of a version in the changelog, without its heading; `undefined` if it has none with a date. */
export function changesOf(version) {
  const text = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const heading = `## ${version} (`;
  const section = text.split(/^(?=## )/m).find((each) => each.startsWith(heading));
  return section?.slice(section.indexOf("\n")).trim();
}

/** The tag that `npm install NAME` takes, or another one for a version such as 1.0.0-rc.1. */
export function distTag(version) {
  return version.includes("-") ? "next" : "latest";
}

/** What the registry says about a field of a package; `undefined` if it does not have the package. */
export function registryField(specification, field) {
  try {
    const options = { stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" };
    const text = execFileSync("npm", ["view", specification, field, "--json"], options);
    return text.trim() === "" ? undefined : JSON.parse(text);
  } catch (error) {
    // The log on standard error depends on the user's log level.
    if (/"code": *"E404"/.test(String(error.stdout))) return undefined;
    throw error;
  }
}
