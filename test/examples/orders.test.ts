import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { root } from "../support/project.js";
import { describeWithTerraform } from "../terraform/with-terraform.js";
import { expectAllSteps } from "./orders-steps.js";

const run = promisify(execFile);

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

describe("npm start without Terraform", () => {
  it("says where to get Terraform, and deploys to the local Azure directly", async () => {
    const output = await start({ ...process.env, PATH: "/nowhere" });
    expectAllSteps(output);
    expect(output).toContain(
      "terraform   not found on the PATH (https://developer.hashicorp.com/terraform/install), continuing without",
    );
  }, 180_000);

  it("does not use Terraform with --without-terraform, and lists each resource that it skips", async () => {
    const output = await start(process.env, "--without-terraform");
    expectAllSteps(output);
    expect(output).toContain("terraform   not used, because of --without-terraform");
    const [, skipped, all] = /skip {4}(\d+) of (\d+), which need Terraform:/.exec(output) ?? [];
    const listed = /which need Terraform:\n((?: {30}\S+ \S+\n)*)/
      .exec(output)?.[1]
      ?.trim()
      .split("\n");
    expect(listed).toHaveLength(Number(skipped));
    expect(output.match(/ {22}create {2}\S+/g)).toHaveLength(Number(all) - Number(skipped));
  }, 180_000);
});

describe("npm start with invalid flags", () => {
  it.each([
    [["--bogus"], "Unknown option '--bogus'"],
    [["--providers=/nowhere"], 'not "/nowhere"'],
    [["--providers="], 'not ""'],
    [["--without-terraform", "--providers=registry"], "cannot be combined"],
  ])("reports %j and prints its usage", async (flags, complaint) => {
    const failure: unknown = await start(process.env, ...flags).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 2, stderr: expect.stringContaining(complaint) });
    expect(failure).toMatchObject({ stderr: expect.stringContaining("npm start -- [flags]") });
  });
});
