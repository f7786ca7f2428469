/**
 * Packs the packages that are published: `npm run pack -- FOLDER`, by default `packages`. Prints the
 * commands that install them from there.
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

const { version } = readManifest(root);
/** The paths of packed packages, with which npm takes them for files and not for repositories. */
const packed = (...names) => names.map((name) => join(output, `${name}-${version}.tgz`)).join(" ");
const runtime = "cloud-eventgrid-binding-runtime";
console.log(`
A new project, in the current folder:
  npx --yes --package ${packed("create-cloud-eventgrid")} --package ${packed("cloud-eventgrid")} --package ${packed(runtime)} create-cloud-eventgrid orders
In a service:
  npm install ${packed(runtime)}
In a stack of cdktn, beside the packages that docs/cdktn.md lists:
  npm install ${packed("cloud-eventgrid-binding-cdktn", runtime)}
In a stack of cdktf:
  npm install ${packed("cloud-eventgrid-binding", runtime)} cdktf@0.21 constructs@10.7 @cdktf/provider-azurerm@14 @cdktf/provider-azuread@14
The local Azure and the command line, beside one of those:
  npm install --save-dev ${packed("cloud-eventgrid-local", "cloud-eventgrid")}
The local Azure alone:
  npm install ${packed("cloud-eventgrid-local")}`);

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
