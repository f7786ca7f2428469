/**
 * Prepares a release: `node tools/release/version.mjs 0.2.0`.
 *
 * Sets the version of all packages, of their dependencies on each other, and in the pages. Turns the
 * section "Unreleased" of the changelog into that of the version, and takes out of all pages that the
 * packages are not on npm. Commit the result and tag it `v0.2.0`: the workflow `release.yaml` publishes it.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folders, NOTICE, readManifest, root, writeManifest } from "./packages.mjs";

const [version = ""] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
  console.error("usage: node tools/release/version.mjs VERSION, such as 0.2.0 or 1.0.0-rc.1");
  process.exit(2);
}

const before = readManifest(".").version;
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
  writeManifest(folder, manifest);
}

/** The version behind a name of ours: `"cloud-eventgrid": "^0.1.0"`, `cloud-eventgrid-0.1.0.tgz`. */
const versions = new RegExp(
  `(cloud-eventgrid[a-z-]*(?:": "\\^?|@|-))${before.replaceAll(".", "\\.")}(?=["\\s]|\\.tgz)`,
  "g",
);
/** How to install files in the place of packages that are not on npm. */
const unpublished = /^## Unpublished packages\n[\s\S]*?(?=^## )/m;
for (const file of pages()) {
  rewrite(file, (text) =>
    text.replace(NOTICE, "").replace(unpublished, "").replace(versions, `$1${version}`),
  );
}
rewrite("README.md", (text) =>
  text
    .replace("on npm yet ([install from files](docs/packages.md)), ", "")
    .replace(
      /^- \*\*Released\*\*: .*$/m,
      `- **Released**: ${version}, see the [changelog](CHANGELOG.md).`,
    ),
);
rewrite("tools/site/index.md", (text) => text.replace(/^The packages are not on npm: .*?\. /m, ""));
rewrite("CONTRIBUTING.md", (text) =>
  text.replace(", see [unpublished packages](docs/packages.md)", ""),
);
const date = new Date().toISOString().slice(0, 10);
rewrite("CHANGELOG.md", (text) => text.replace(/^## Unreleased.*$/m, `## ${version} (${date})`));

execFileSync("npm", ["install", "--package-lock-only", "--ignore-scripts", "--prefer-offline"], {
  cwd: root,
  stdio: "inherit",
});

/** Pages, READMEs and the templates of projects. */
function pages() {
  const below = (folder, ending) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => ending.test(file) && !file.includes("node_modules"))
      .map((file) => join(folder, file));
  return [
    ...folders.map((folder) => join(folder, "README.md")),
    ...["docs", "examples", "terraform"].flatMap((folder) => below(folder, /\.md$/)),
    ...below("cli/templates", /package\.json$/),
  ];
}

function rewrite(file, change) {
  const path = join(root, file);
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return; // a package without a README is not published
  }
  const changed = change(text);
  if (changed !== text) writeFileSync(path, changed);
}
