/**
 * Checks what the first release needs, before anything is published: `node tools/release/first.mjs`.
 *
 * npm lets a workflow publish a package that exists already, and only with a statement of provenance
 * that names the public repository of the workflow. So a person publishes each package once. When
 * nothing is missing, this prints the commands that hand the packages over to the workflow.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publishedFolders, readManifest, registryField, root } from "./packages.mjs";

/** The first npm whose command `trust` can allow a workflow to publish. */
const NPM = [11, 15];
const WORKFLOW = "release.yaml";

const { GITHUB_API_URL = "https://api.github.com" } = process.env;
const manifests = publishedFolders.map(readManifest);
const problems = [];

const repository = repositoryOfClone();
for (const { name, repository: named } of manifests) {
  if (named?.url !== `git+https://github.com/${repository}.git`) {
    problems.push(
      `${name}: repository is ${named?.url}, but origin of this clone is ${repository}: npm refuses provenance that names another one`,
    );
  }
}

const [, environment] =
  /^ {4}environment: (\S+)$/m.exec(
    readFileSync(join(root, ".github/workflows", WORKFLOW), "utf8"),
  ) ?? [];
await checkGitHub().catch(({ message, cause }) => {
  problems.push(`GitHub could not be asked: ${cause?.message ?? message}`);
});
checkNpm();

for (const problem of problems) console.error(`- ${problem}`);
if (problems.length > 0) process.exit(1);
console.log(`Nothing is missing. Publish the packages, and then let the workflow publish them:
${manifests
  .map(
    ({ name }) =>
      `  npm trust github ${name} --file ${WORKFLOW} --repository ${repository} --environment ${environment} --allow-publish`,
  )
  .join("\n")}`);

/** The owner and the name of the repository on GitHub that this clone pushes to. */
function repositoryOfClone() {
  const url = output("git", ["remote", "get-url", "origin"])?.trim() ?? "";
  const [, name] = /github\.com[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(url) ?? [];
  return name ?? (url || "unknown");
}

async function checkGitHub() {
  const found = await gitHub(`repos/${repository}`);
  if (found === undefined || found.private === true) {
    problems.push(`GitHub has no public repository ${repository}: npm needs one for provenance`);
    return;
  }
  const settings = await gitHub(`repos/${repository}/environments/${environment}`);
  if (settings === undefined) {
    problems.push(
      `the repository has no environment ${environment}, in which ${WORKFLOW} publishes: create it, and let it deploy tags v* only`,
    );
  } else if (!settings.deployment_branch_policy) {
    problems.push(
      `every branch may deploy to the environment ${environment}: let it deploy tags v* only`,
    );
  }
}

/** @returns `undefined` for what does not exist, or is not public */
async function gitHub(path) {
  const response = await fetch(`${GITHUB_API_URL}/${path}`, {
    headers: { accept: "application/vnd.github+json" },
  });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`GitHub answers ${response.status} to ${path}`);
  return response.json();
}

function checkNpm() {
  const [major = 0, minor = 0] = (output("npm", ["--version"]) ?? "").split(".").map(Number);
  if (major < NPM[0] || (major === NPM[0] && minor < NPM[1])) {
    problems.push(`npm ${major}.${minor} has no npm trust: install npm ${NPM.join(".")} or later`);
  }
  const user = output("npm", ["whoami"])?.trim();
  if (user === undefined) {
    problems.push("nobody is signed in on npm: run npm login");
    return;
  }
  for (const { name } of manifests) {
    const owners = ownersOf(name);
    if (owners !== undefined && !owners.includes(user)) {
      problems.push(`${name} belongs to ${owners.join(", ")} on npm, and not to ${user}`);
    }
  }
}

/** Who may publish a package; `undefined` for a name that nobody has claimed. */
function ownersOf(name) {
  const owners = registryField(name, "maintainers");
  if (owners === undefined) return undefined;
  // "name <address>", or objects since npm 11.
  return [owners].flat().map((each) => each.name ?? each.split(" ")[0]);
}

/** What a program prints; `undefined` if it fails. */
function output(program, args) {
  try {
    const stdio = ["ignore", "pipe", "ignore"];
    return execFileSync(program, args, { cwd: root, stdio, encoding: "utf8" });
  } catch {
    return undefined;
  }
}
