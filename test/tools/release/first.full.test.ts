import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { manifest, publishedFolders } from "../../packages/packed.js";
import { root } from "../../support/project.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { Registry } from "./registry.js";

const REPOSITORY = "cloud-eventgrid/cloud-eventgrid-binding";
const ENVIRONMENT = `/repos/${REPOSITORY}/environments/npm`;
const names = publishedFolders.map((folder) => manifest(folder).name as string);

/** What GitHub answers in a repository that is ready. */
const ready = {
  [`/repos/${REPOSITORY}`]: { private: false },
  [ENVIRONMENT]: { deployment_branch_policy: { custom_branch_policies: true } },
};

interface Setting {
  readonly origin?: string;
  readonly gitHub?: Readonly<Record<string, object>>;
  readonly isSignedIn?: boolean;
  readonly claimed?: Readonly<Record<string, string>>;
}

/** Runs the check in a clone. Resolves with its exit code and the lines that it printed. */
async function check({
  origin = `git@github.com:${REPOSITORY}.git`,
  gitHub = ready,
  isSignedIn = true,
  claimed = {},
}: Setting = {}) {
  const clone = temporaryFolder();
  const manifests = publishedFolders.map((folder) => join(folder, "package.json"));
  for (const path of ["tools/release", ".github/workflows/release.yaml", ...manifests]) {
    cpSync(join(root, path), join(clone, path), { recursive: true });
  }
  execFileSync("git", ["init", "--quiet"], { cwd: clone });
  execFileSync("git", ["remote", "add", "origin", origin], { cwd: clone });

  const api = createServer(({ url = "" }, response) => {
    const answer = gitHub[url];
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
  });
  await once(api.listen(0, "127.0.0.1"), "listening");
  const registry = await Registry.start("http://127.0.0.1:1");
  onTestFinished(() => {
    api.close();
    registry.close();
  });
  for (const [name, owner] of Object.entries(claimed)) registry.claimed.set(name, owner);
  const npmrc = join(clone, "user.npmrc");
  const token = isSignedIn ? `//${registry.host}/:_authToken=token\n` : "";
  writeFileSync(npmrc, `registry=http://${registry.host}/\n${token}`);

  return new Promise<{ exitCode: number; lines: string[] }>((resolve) => {
    const env = {
      ...process.env,
      GITHUB_API_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
      npm_config_userconfig: npmrc,
    };
    const args = [join(clone, "tools/release/first.mjs")];
    const child = execFile(process.execPath, args, { cwd: clone, env }, (_, out, error) => {
      const lines = (out + error).trim().split("\n");
      resolve({
        exitCode: child.exitCode ?? -1,
        // Node 20 and 22 come with an npm that is too old.
        lines: lines.filter((line) => !line.includes("has no npm trust")),
      });
    });
  });
}

const [major = 0, minor = 0] = execFileSync("npm", ["--version"], { encoding: "utf8" })
  .split(".")
  .map(Number);
const canTrust = major > 11 || (major === 11 && minor >= 15);

it.runIf(canTrust)("prints how to hand the packages over to the workflow", async () => {
  const { exitCode, lines } = await check({ claimed: { "cloud-eventgrid": "maintainer" } });
  expect(lines[0]).toMatch(/^Nothing is missing/);
  const options = `--file release.yaml --repository ${REPOSITORY} --environment npm --allow-publish`;
  expect(lines.slice(1).sort()).toEqual(
    names.map((name) => `  npm trust github ${name} ${options}`).sort(),
  );
  expect(exitCode).toBe(0);
});

it("names everything that is missing on GitHub and npm", async () => {
  const { exitCode, lines } = await check({
    gitHub: { ...ready, [ENVIRONMENT]: { deployment_branch_policy: null } },
    claimed: { "cloud-eventgrid": "someone" },
  });
  expect(exitCode).toBe(1);
  expect(lines).toEqual([
    "- every branch may deploy to the environment npm: let it deploy tags v* only",
    "- cloud-eventgrid belongs to someone on npm, and not to maintainer",
  ]);
});

it("refuses a fork, whose name npm would not find in the packages", async () => {
  const origin = "https://github.com/someone/fork";
  const { exitCode, lines } = await check({ origin, isSignedIn: false });
  expect(exitCode).toBe(1);
  expect(
    lines.filter((line) => line.includes("origin of this clone is someone/fork")),
  ).toHaveLength(names.length);
  expect(lines.slice(-2)).toEqual([
    "- GitHub has no public repository someone/fork: npm needs one for provenance",
    "- nobody is signed in on npm: run npm login",
  ]);
});

it("asks for the environment in which the workflow publishes", async () => {
  const { [ENVIRONMENT]: _, ...gitHub } = ready;
  const { exitCode, lines } = await check({ gitHub });
  expect(exitCode).toBe(1);
  expect(lines).toEqual([
    "- the repository has no environment npm, in which release.yaml publishes: create it, and let it deploy tags v* only",
  ]);
});
