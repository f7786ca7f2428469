/**
 * Checks packed packages before any of them is published: `node tools/release/check.mjs FOLDER`.
 *
 * On GitHub it also compares the version with the tag, and `repository` with the repository that runs
 * the workflow: npm refuses a provenance statement that names another one.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { changesOf, NOTICE, publishedFolders, readManifest } from "./packages.mjs";

const [folder = "packages"] = process.argv.slice(2);
const { GITHUB_REPOSITORY, GITHUB_REF_NAME, GITHUB_REF_TYPE } = process.env;
const { version } = readManifest(".");
const problems = [];

if (changesOf(version) === undefined) {
  problems.push(
    `CHANGELOG.md has no section "## ${version} (DATE)": run tools/release/version.mjs`,
  );
}
if (GITHUB_REF_TYPE === "tag" && GITHUB_REF_NAME !== `v${version}`) {
  problems.push(`the tag is ${GITHUB_REF_NAME}, but the version is ${version}`);
}
for (const { name } of publishedFolders.map(readManifest)) {
  const file = join(folder, `${name}-${version}.tgz`);
  if (!existsSync(file)) {
    problems.push(`${file} is missing: run npm run pack`);
    continue;
  }
  for (const problem of problemsOf(file)) problems.push(`${name}: ${problem}`);
}
for (const problem of problems) console.error(`- ${problem}`);
if (problems.length > 0) process.exit(1);
console.log(`${publishedFolders.length} packages of version ${version} can be published.`);

function* problemsOf(file) {
  const files = tar("-tzf", file).split("\n");
  for (const needed of ["README.md", "LICENSE"]) {
    if (!files.includes(`package/${needed}`)) yield `${needed} is missing`;
  }
  for (const page of files.filter((each) => each.endsWith(".md"))) {
    if (tar("-xzOf", file, page).search(NOTICE) >= 0) {
      yield `${page} says that it is not published: run tools/release/version.mjs`;
    }
  }
  const manifest = JSON.parse(tar("-xzOf", file, "package/package.json"));
  if (manifest.version !== version) yield `has the version ${manifest.version}`;
  for (const field of ["private", "workspaces", "scripts", "devDependencies"]) {
    if (field in manifest) yield `package.json has ${field}`;
  }
  const repository = `git+https://github.com/${GITHUB_REPOSITORY}.git`;
  if (GITHUB_REPOSITORY !== undefined && manifest.repository?.url !== repository) {
    yield `repository is ${manifest.repository?.url}, but must be ${repository}`;
  }
}

function tar(...args) {
  return execFileSync("tar", args, { encoding: "utf8", maxBuffer: 2 ** 26 });
}
