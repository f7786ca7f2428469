import { execFile } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { root } from "../support/project.js";

const run = promisify(execFile);

/** Synthesis with this environment needs no account. */
export const forLocalAzure = { CLOUD_AUTHORITY_HOST: "http://127.0.0.1:1" };

/**
 * The options of projects that `init` and `convert` generate, apart from the cdk. `convert` reads
 * `orders.yaml`. Templates depend on two options at most, so every pair of choices occurs.
 */
export const combinations = [
  ["--direction", "publish"],
  ...[
    ["receive", "topic", "standalone", "none"],
    ["receive", "storage", "fastify", "container-apps"],
    ["receive", "storage", "standalone", "kubernetes"],
    ["both", "topic", "standalone", "container-apps"],
    ["both", "topic", "express", "kubernetes"],
    ["both", "storage", "fastify", "none"],
  ].map(([direction = "", source = "", app = "", host = ""]) => [
    ...["--direction", direction, "--source", source],
    ...["--app", app, "--host", host],
  ]),
  ["--pull"],
  ["--pull", "--host", "container-apps"],
  ["convert", "orders.yaml"],
  ["convert", "orders.yaml", "--adopted", "--event-type", "shop.order.placed", "--app", "fastify"],
];

/**
 * Compiles, tests and synthesizes a generated project, with the packages of this repository unless
 * it has its own.
 */
export async function expectWorkingProject(folder: string): Promise<void> {
  if (!existsSync(join(folder, "node_modules"))) {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  }
  const tsc = join(root, "node_modules/typescript-5/bin/tsc");
  const compiled = await run(process.execPath, [tsc, "-p", ".", "--noEmit"], { cwd: folder }).catch(
    (failure: { stdout: string }) => failure,
  );
  expect(compiled.stdout).toBe("");
  await run("npm", ["run", "synth"], { cwd: folder, env: { ...process.env, ...forLocalAzure } });
  const tested = await run("npm", ["test"], { cwd: folder });
  expect(tested.stdout, "warnings in the log").not.toContain('"level":40');
}
