import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { combinations, forLocalAzure } from "../../cli/generated-project.js";
import { managerNames, packageManagers } from "../../packages/package-managers.js";
import { manifest, publishedFolders } from "../../packages/packed.js";
import { packedPackages } from "../../packages/packed-once.js";
import { root } from "../../support/project.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { Registry } from "./registry.js";

/** Above every real one, and of this run: package managers keep what they have installed of a version. */
const VERSION = `90.0.${Date.now()}`;
const CHANGES = "What the test releases.";
/** Each after those that it needs. */
const ORDER = [
  "cloud-eventgrid-binding-runtime",
  "cloud-eventgrid-local",
  "cloud-eventgrid-binding",
  "cloud-eventgrid-binding-cdktn",
  "cloud-eventgrid",
  "create-cloud-eventgrid",
];
const onGitHub = {
  GITHUB_REPOSITORY: "cloud-eventgrid/cloud-eventgrid-binding",
  GITHUB_REF_TYPE: "tag",
  GITHUB_REF_NAME: `v${VERSION}`,
};

/** Runs a program. Resolves with its exit code and all that it printed. */
function run(program: string, args: readonly string[], cwd: string, variables = {}) {
  return new Promise<{ exitCode: number; printed: string }>((resolve) => {
    const options = { cwd, env: { ...process.env, ...variables }, maxBuffer: 2 ** 26 };
    const child = execFile(program, args, options, (_, out, error) => {
      resolve({ exitCode: child.exitCode ?? -1, printed: out + error });
    });
  });
}

const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
const isReleased = !changelog.includes("\n## Unreleased");

/** A copy of this repository, as it is now and built, that the release may change. */
const repository = temporaryFolder();
const packages = join(repository, "packages");
let registry: Registry;
let npmrc: Record<string, string>;
/** What makes the package managers use the registry. */
let registryVariables: Record<string, string>;
let managers: Awaited<ReturnType<typeof packageManagers>>;

const tool = (name: string, args: readonly string[], variables = {}) =>
  run(process.execPath, [`tools/release/${name}.mjs`, ...args], repository, variables);

beforeAll(async () => {
  const list = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", list, { cwd: root, encoding: "utf8" }).trim().split("\n");
  for (const file of files.filter((each) => !/^(test|bench)\/.*\.(ts|json|svg)$/.test(each))) {
    mkdirSync(dirname(join(repository, file)), { recursive: true });
    cpSync(join(root, file), join(repository, file), { force: true });
  }
  for (const folder of ["test/stand-ins", "bench"]) {
    const name = `${folder}/package.json`;
    mkdirSync(join(repository, folder), { recursive: true });
    cpSync(join(root, name), join(repository, name));
  }
  for (const built of publishedFolders.map((folder) => join(folder, "dist"))) {
    if (!existsSync(join(root, built))) continue;
    cpSync(join(root, built), join(repository, built), { recursive: true, force: true });
  }
  const unreleased = `\n## Unreleased\n\n${CHANGES}\n\n`;
  const before = isReleased ? /\n(?=## )/ : /\n## Unreleased.*\n/;
  writeFileSync(join(repository, "CHANGELOG.md"), changelog.replace(before, unreleased));
  const upstream = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" });
  registry = await Registry.start(upstream.trim());
  const file = join(temporaryFolder(), "npmrc");
  writeFileSync(file, `registry=http://${registry.host}/\n//${registry.host}/:_authToken=token\n`);
  npmrc = {
    npm_config_userconfig: file,
    npm_config_update_notifier: "false",
    // Otherwise npm would load everything again, because each test has another registry.
    npm_config_replace_registry_host: "never",
  };
  registryVariables = {
    ...npmrc,
    YARN_NPM_REGISTRY_SERVER: `http://${registry.host}`,
    YARN_UNSAFE_HTTP_WHITELIST: "127.0.0.1",
    YARN_ENABLE_TELEMETRY: "false",
    // Yarn refuses what was published a moment ago.
    YARN_NPM_MINIMAL_AGE_GATE: "0",
  };
  managers = await packageManagers();
});
afterAll(() => registry.close());

/** Each project once, and each package manager with each cdk. */
const projects = combinations.map(
  (options, i) =>
    [
      managerNames[i % managerNames.length] ?? "npm",
      Math.floor(i / managerNames.length) % 2 === 0 ? "cdktn" : "cdktf",
      options.join(" "),
    ] as const,
);

/** One release, step by step. */
describe("a release", () => {
  it.skipIf(isReleased)("is refused while the pages say that nothing is published", async () => {
    const { exitCode, printed } = await tool("check", [await packedPackages()]);
    expect(exitCode).toBe(1);
    expect(printed).toContain("CHANGELOG.md has no section");
    expect(printed).toContain("cloud-eventgrid: package/README.md says that it is not published");
  });

  it("begins with a version, which is in every page and manifest", async () => {
    expect(await tool("version", [VERSION], npmrc)).toMatchObject({ exitCode: 0 });
    const files = readdirSync(repository, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(md|json)$/.test(file) && !/node_modules|CHANGELOG/.test(file))
      .filter((file) => !/^(dist|\w+\/dist|test|bench|tools\/(?!site\/index))\b/.test(file));
    const old = new RegExp(`cloud-eventgrid[a-z-]*("|-|@)[^"]*\\b${manifest(".").version}`);
    const left = files.filter((file) => {
      const text = readFileSync(join(repository, file), "utf8");
      return (
        old.test(text) ||
        /The packages are not on npm|[Nn]ot published on npm|[Uu]npublished packages|on npm yet/.test(
          text,
        )
      );
    });
    expect(left).toEqual([]);
    const today = new Date().toISOString().slice(0, 4);
    const dated = readFileSync(join(repository, "CHANGELOG.md"), "utf8");
    expect(dated).toContain(`\n## ${VERSION} (${today}-`);
    expect((await tool("notes", [])).printed).toMatch(new RegExp(`^${CHANGES}\n`));
  });

  it("packs what passes the checks, and refuses another tag and another repository", async () => {
    expect(await tool("pack", [packages])).toMatchObject({ exitCode: 0 });
    expect(await tool("check", [packages], onGitHub)).toEqual({
      exitCode: 0,
      printed: `6 packages of version ${VERSION} can be published.\n`,
    });
    const fork = { ...onGitHub, GITHUB_REPOSITORY: "someone/else", GITHUB_REF_NAME: "v89.0.0" };
    const { exitCode, printed } = await tool("check", [packages], fork);
    expect(exitCode).toBe(1);
    expect(printed).toContain(`the tag is v89.0.0, but the version is ${VERSION}`);
    expect(printed).toContain("must be git+https://github.com/someone/else.git");
  });

  it("goes on where it stopped, whichever package the registry refuses", async () => {
    for (const name of ORDER) registry.refused.add(name);
    for (const [published, name] of ORDER.entries()) {
      const { exitCode, printed } = await tool("publish", [packages], npmrc);
      expect(exitCode).toBe(1);
      expect(printed).toContain(`${name}@${VERSION} was not published`);
      expect(registry.names).toEqual(ORDER.slice(0, published));
    }
    expect(await tool("publish", [packages], npmrc)).toMatchObject({ exitCode: 0 });
    expect(registry.names).toEqual(ORDER);
    expect(registry.published("cloud-eventgrid")?.["dist-tags"]).toEqual({ latest: VERSION });
  });

  it("changes nothing when it is complete, and refuses another content of the same version", async () => {
    const { exitCode, printed } = await tool("publish", [packages], npmrc);
    expect(exitCode).toBe(0);
    expect(printed.trim().split("\n")).toEqual(
      ORDER.map((name) => `${name}@${VERSION} is on the registry already.`),
    );
    const file = join(packages, `cloud-eventgrid-local-${VERSION}.tgz`);
    const content = readFileSync(file);
    writeFileSync(file, Buffer.concat([content, Buffer.alloc(1)]));
    expect(await tool("publish", [packages], npmrc)).toMatchObject({
      exitCode: 1,
      printed: expect.stringContaining("is on the registry with another content"),
    });
    writeFileSync(file, content);
  });

  it.each(projects)(
    "creates, with %s, a project of %s that installs, compiles, passes its tests and synthesizes: %s",
    async (name, cdk, options) => {
      const manager = managers[name];
      const folder = temporaryFolder();
      const project = join(folder, "orders");
      const words = options.split(" ");
      if (words[0] === "convert") {
        cpSync(
          join(root, "examples/from-component/components/orders.yaml"),
          join(folder, "orders.yaml"),
        );
        const args = ["cloud-eventgrid@latest", ...words, "--out", "orders", "--cdk", cdk];
        await manager.run(folder, [...manager.once, ...args], registryVariables);
      } else {
        const args = ["orders", "--yes", ...words, "--cdk", cdk];
        await manager.run(folder, [...manager.create, ...args], registryVariables);
      }
      const { dependencies } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
      expect(dependencies["cloud-eventgrid-binding-runtime"]).toBe(`^${VERSION}`);
      expect(existsSync(join(project, "packages"))).toBe(false);
      manager.prepare(project);
      const tasks = [["install"], ["run", "typecheck"], ["run", "test"], ["run", "synth"]];
      for (const task of tasks) {
        await manager.run(project, task, { ...registryVariables, ...forLocalAzure });
      }
      const { stacks } = JSON.parse(readFileSync(join(project, "cdktf.out/manifest.json"), "utf8"));
      expect(Object.keys(stacks)).toHaveLength(1);
    },
  );

  it("gives a pre-release the tag next, so that nobody gets it without asking", async () => {
    expect(await tool("version", ["90.1.0-rc.1"], npmrc)).toMatchObject({ exitCode: 0 });
    expect(await tool("pack", [packages])).toMatchObject({ exitCode: 0 });
    expect(await tool("publish", [packages], npmrc)).toMatchObject({ exitCode: 0 });
    const tags = registry.published("cloud-eventgrid-binding")?.["dist-tags"];
    expect(tags).toEqual({ next: "90.1.0-rc.1" });
  });
});
