import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { packageManagers } from "../packages/package-managers.js";
import { packedPackages } from "../packages/packed-once.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { command } from "./command.js";
import { forLocalAzure } from "./generated-project.js";

let managers: Awaited<ReturnType<typeof packageManagers>>;
beforeAll(async () => {
  managers = await packageManagers();
}, 300_000);

/** From packed files. Other tests of generated projects use npm. */
describe.each(["cdktn", "cdktf"] as const)("a project of %s", (cdk) => {
  it.each(["pnpm", "pnpm 10", "Yarn"] as const)(
    "installs, compiles, tests and synthesizes with %s",
    async (name) => {
      const directory = temporaryFolder();
      const args = ["init", "orders", "--app", "express", "--direction", "both", "--cdk", cdk];
      const packages = ["--packages", await packedPackages(), "--yes"];
      const created = await command([...args, ...packages], { directory });
      expect([created.exitCode, created.error]).toEqual([0, ""]);
      const folder = join(directory, "orders");
      const manager = managers[name];
      manager.prepare(folder);
      for (const task of [["install"], ["run", "typecheck"], ["run", "test"], ["run", "synth"]]) {
        await manager.run(folder, task, forLocalAzure);
      }
      const { stacks } = JSON.parse(readFileSync(join(folder, "cdktf.out/manifest.json"), "utf8"));
      expect(Object.keys(stacks)).toEqual(["orders"]);
    },
  );
});
