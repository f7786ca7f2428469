/**
 * Prepares a release: `node tools/release/version.mjs 0.2.0`.
 *
 * Sets the version of all packages and of their dependencies on each other, and turns the section
 * "Unreleased" of the changelog into that of the version. Commit the result and tag it `v0.2.0`: the
 * workflow `release.yaml` publishes the tag.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [version = ""] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
  console.error("usage: node tools/release/version.mjs VERSION, such as 0.2.0");
  process.exit(2);
}

const { workspaces } = readManifest(".");
// The package for cdktn is no workspace, see docs/contributing/architecture.md.
const folders = [".", "cdktn", ...workspaces];
const names = new Set(folders.map((folder) => readManifest(folder).name));
for (const folder of folders) {
  const manifest = readManifest(folder);
  manifest.version = version;
  for (const group of ["dependencies", "devDependencies", "peerDependencies"]) {
    for (const [name, range] of Object.entries(manifest[group] ?? {})) {
      if (!names.has(name) || range.startsWith("file:")) continue;
      manifest[group][name] = range.startsWith("^") ? `^${version}` : version;
    }
  }
  writeFileSync(manifestFile(folder), `${JSON.stringify(manifest, null, 2)}\n`);
}

const changelog = join(root, "CHANGELOG.md");
const date = new Date().toISOString().slice(0, 10);
const text = readFileSync(changelog, "utf8");
writeFileSync(changelog, text.replace(/^## Unreleased.*$/m, `## ${version} (${date})`));

execFileSync("npm", ["install", "--package-lock-only", "--ignore-scripts"], {
  cwd: root,
  stdio: "inherit",
});

function manifestFile(folder) {
  return join(root, folder, "package.json");
}

function readManifest(folder) {
  return JSON.parse(readFileSync(manifestFile(folder), "utf8"));
}
