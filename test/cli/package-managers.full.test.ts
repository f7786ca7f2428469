import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { packedPackages } from "../packages/packed-once.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { command } from "./command.js";
import { forLocalAzure } from "./generated-project.js";

const run = promisify(execFile);

/** Where the package managers are installed. Other tests of generated projects use npm. */
const tools = temporaryFolder();

function bin(path: string): string {
  return join(tools, "node_modules", path);
}

const managers = {
  pnpm: { program: [process.execPath, bin("pnpm/bin/pnpm.cjs")], configuration: {} },
  Yarn: {
    program: [process.execPath, bin("@yarnpkg/cli-dist/bin/yarn.js")],
    // Without a lock file, Yarn takes the folder for a part of another project.
    configuration: { "yarn.lock": "", ".yarnrc.yml": "enableImmutableInstalls: false\n" },
  },
} as const;

beforeAll(async () => {
  const packages = ["pnpm@10", "@yarnpkg/cli-dist@4"];
  await run("npm", ["install", "--prefix", tools, "--no-audit", "--no-fund", ...packages]);
}, 300_000);

describe.each(["cdktn", "cdktf"] as const)("a project of %s", (cdk) => {
  it.each(Object.entries(managers))(
    "installs, compiles, tests and synthesizes with %s",
    async (_, { program, configuration }) => {
      const directory = temporaryFolder();
      const args = ["init", "orders", "--app", "express", "--direction", "both", "--cdk", cdk];
      const packages = ["--packages", await packedPackages(), "--yes"];
      const created = await command([...args, ...packages], { directory });
      expect([created.exitCode, created.error]).toEqual([0, ""]);
      const folder = join(directory, "orders");
      for (const [name, text] of Object.entries(configuration)) {
        writeFileSync(join(folder, name), text);
      }
      const [file, ...prefix] = program;
      const env = { ...process.env, ...forLocalAzure };
      for (const task of [["install"], ["run", "typecheck"], ["run", "test"], ["run", "synth"]]) {
        await run(file, [...prefix, ...task], { cwd: folder, env });
      }
      const { stacks } = JSON.parse(readFileSync(join(folder, "cdktf.out/manifest.json"), "utf8"));
      expect(Object.keys(stacks)).toEqual(["orders"]);
    },
  );
});
