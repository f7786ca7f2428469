import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readFlags } from "../../examples/start/flags.js";
import { root } from "../support/project.js";
import { describeWithTerraform } from "../terraform/with-terraform.js";

const run = promisify(execFile);
const ESCAPE = String.fromCharCode(27);

/** Expects every step of the example, in an output without colours. */
function expectAllSteps(output: string): void {
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
  for (const step of steps) expect(output).toMatch(step);
  expect(output).not.toContain(ESCAPE);
}

/** Runs the program of `npm start` and returns its output. */
async function start(env: NodeJS.ProcessEnv, ...flags: string[]): Promise<string> {
  const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
  const args = [tsx, "examples/orders/start.ts", ...flags];
  const { stdout } = await run(process.execPath, args, { cwd: root, env });
  return stdout;
}

describeWithTerraform("npm start with Terraform", () => {
  it("applies, finds nothing more to change, updates and destroys the stack", async () => {
    const { TERRAFORM_PROVIDERS: providers } = process.env;
    const flags = providers === undefined ? [] : [`--providers=${providers}`];
    const output = await start(process.env, ...flags);
    expectAllSteps(output);
    expect(output).toMatch(/plan {8}\d+ to add, 0 to change, 0 to destroy/);
    expect(output).toMatch(/plan {8}once more: 0 changes/);
    expect(output).toMatch(/plan {8}0 to add, 1 to change, 0 to destroy/);
  });
});

it("npm start without Terraform says where to get it, deploys directly, and lists what it skips", async () => {
  const output = await start({ ...process.env, PATH: "/nowhere" });
  expectAllSteps(output);
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
});

describe("the flags of npm start", () => {
  it("leave Terraform out with --without-terraform", () => {
    expect(readFlags(["--without-terraform"])).toEqual({ providers: undefined, keep: false });
  });

  it.each([
    [["--bogus"], "Unknown option '--bogus'"],
    [["--providers=/nowhere"], 'not "/nowhere"'],
    [["--providers="], 'not ""'],
    [["--without-terraform", "--providers=registry"], "cannot be combined"],
  ])("are refused with the usage: %j", (flags, complaint) => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const exit = vi.spyOn(process, "exit").mockImplementation((code) => {
      throw new Error(`exit code ${code}`);
    });
    onTestFinished(() => void [printed, exit].map((spy) => spy.mockRestore()));
    expect(() => readFlags(flags)).toThrow("exit code 2");
    expect(printed).toHaveBeenCalledWith(expect.stringContaining(complaint));
    expect(printed).toHaveBeenCalledWith(expect.stringContaining("npm start -- [flags]"));
  });
});
