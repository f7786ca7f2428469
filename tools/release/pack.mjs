/**
 * Packs the packages that are published: `npm run pack -- FOLDER`, by default `packages`. Prints the
 * commands that install them from there.
 *
 * `tools/release/publish.mjs` and a project of `cloud-eventgrid init --packages FOLDER` take them from
 * there. Each gets the LICENSE; what only this repository uses is left out of their manifests.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { publishedFolders, readManifest, root } from "./packages.mjs";

const [destination = "packages"] = process.argv.slice(2);
if (destination.startsWith("-")) {
  console.error(`${destination} is no folder: npm run pack -- FOLDER`);
  process.exit(2);
}
const output = resolve(destination);
mkdirSync(output, { recursive: true });

for (const folder of publishedFolders) {
  const source = join(root, folder);
  const { scripts: _, workspaces: __, devDependencies: ___, ...manifest } = readManifest(folder);
  const staged = mkdtempSync(join(tmpdir(), "pack-"));
  try {
    const { files } = npmPack(source, "--dry-run");
    for (const { path } of files) {
      mkdirSync(dirname(join(staged, path)), { recursive: true });
      cpSync(join(source, path), join(staged, path));
    }
    cpSync(join(root, "LICENSE"), join(staged, "LICENSE"));
    writeFileSync(join(staged, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    const { filename } = npmPack(staged, "--pack-destination", output);
    console.log(join(destination, filename));
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

const { version } = readManifest(".");
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
The command line alone:
  npm install --save-dev ${packed("cloud-eventgrid", runtime)}
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
