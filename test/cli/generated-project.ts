import { execFile } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { root } from "../support/project.js";

const run = promisify(execFile);

/** Compiles, synthesizes and tests a generated project, with the packages of this repository. */
export async function expectWorkingProject(folder: string): Promise<void> {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const tsc = join(root, "node_modules/typescript-5/bin/tsc");
  const compiled = await run(process.execPath, [tsc, "-p", "."], { cwd: folder }).catch(
    (failure: { stdout: string }) => failure,
  );
  expect(compiled.stdout).toBe("");
  await run("npm", ["run", "synth"], { cwd: folder });
  const tested = await run("npm", ["test"], { cwd: folder });
  expect(tested.stdout).toContain("# pass 1\n# fail 0");
  expect(tested.stdout, "warnings in the log").not.toContain('"level":40');
}
