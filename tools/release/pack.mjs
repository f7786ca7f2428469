/**
 * Packs the packages that are published: `npm run pack -- FOLDER`, by default `packages`.
 *
 * `npm publish` and a project of `cloud-eventgrid init --packages FOLDER` take them from there. The
 * script `prepare`, with which a clone of this repository builds itself, is left out of their
 * manifests.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [destination = "packages"] = process.argv.slice(2);
const output = resolve(destination);
mkdirSync(output, { recursive: true });

const { workspaces } = readManifest(root);
// The package for cdktn is no workspace, see docs/contributing/architecture.md.
for (const folder of [".", "cdktn", ...workspaces]) {
  const source = join(root, folder);
  const manifest = readManifest(source);
  if (manifest.private) continue;
  if (manifest.scripts?.prepare === undefined) {
    console.log(join(destination, npmPack(source, "--pack-destination", output).filename));
    continue;
  }
  const staged = mkdtempSync(join(tmpdir(), "pack-"));
  try {
    const { files } = npmPack(source, "--dry-run");
    for (const { path } of files) {
      mkdirSync(dirname(join(staged, path)), { recursive: true });
      cpSync(join(source, path), join(staged, path));
    }
    delete manifest.scripts.prepare;
    writeFileSync(join(staged, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    const { filename } = npmPack(staged, "--pack-destination", output);
    console.log(join(destination, filename));
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

/** Returns npm's description of the packed file. */
function npmPack(cwd, ...options) {
  const args = ["pack", "--json", "--ignore-scripts", ...options];
  const shell = process.platform === "win32"; // there, npm is a batch file
  const stdout = execFileSync("npm", args, { cwd, shell, encoding: "utf8", stdio: "pipe" });
  // An array until npm 10, an object since npm 11.
  return Object.values(JSON.parse(stdout))[0];
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
