import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { root } from "../support/project.js";

/** The environment of a machine on which no program is found. */
export const WITHOUT_PROGRAMS = { ...process.env, PATH: "/nowhere" };

const ESCAPE = String.fromCharCode(27);

/** Runs the program of `npm start`, expects every step, without colours, and returns its output. */
export async function startOrders(env: NodeJS.ProcessEnv, ...flags: string[]): Promise<string> {
  const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
  const args = [tsx, "examples/orders/start.ts", ...flags];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
  const steps = [
    / {22}create {2}azurerm_eventgrid_topic topic\n/,
    /handshake {3}OPTIONS https:\/\/orders\.example\.com\/api\/events → 200, webhook consents/,
    /publish {5}shop\.order\.placed orders\/17 \(teapot\), accepted as [0-9a-f-]{36}/,
    /service {5}logs\n(?: {22}.*\n)* {22}shipped order 17, from verified caller 4962773b-9cdb-44cf-a8bf-237846a00ab7/,
    /delivery {4}shop\.order\.placed orders\/18 → 503, retrying/,
    /delivery {4}shop\.order\.placed orders\/18, attempt 2 → 200, delivered/,
    /intruder {4}no token → 401/,
    /intruder {4}a forged token → 401/,
    /intruder {4}an expired token → 401/,
    /destroy {5}nothing is left/,
    /result {6}everything as expected/,
  ];
  for (const step of steps) expect(stdout).toMatch(step);
  expect(stdout).not.toContain(ESCAPE);
  return stdout;
}

/** Expects that a run without Terraform says where to get it and lists what it skips. */
export function expectSkippedTerraform(output: string): void {
  expect(output).toMatch(
    /terraform {3}There is no program named terraform or tofu .*\(https:.*\. Continuing without/,
  );
  const [, skipped, all] = /skip {4}(\d+) of (\d+), which need Terraform:/.exec(output) ?? [];
  const listed = /which need Terraform:\n((?: {30}\S+ \S+\n)*)/
    .exec(output)?.[1]
    ?.trim()
    .split("\n");
  expect(listed).toHaveLength(Number(skipped));
  expect(output.match(/ {22}create {2}\S+/g)).toHaveLength(Number(all) - Number(skipped));
}
