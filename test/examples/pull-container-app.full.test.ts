import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { describeWithTerraform } from "../terraform/with-terraform.js";

const run = promisify(execFile);

describeWithTerraform("npm start of the pull-container-app example", () => {
  it("deploys it, pulls its events, redelivers one, and destroys it", async () => {
    const { TERRAFORM_PROVIDERS: providers } = process.env;
    const flags = providers === undefined ? [] : [`--providers=${providers}`];
    const args = ["--import", "tsx", "examples/pull-container-app/start.ts", ...flags];
    const { stdout } = await run(process.execPath, args);
    expect(stdout).toContain("3 acknowledged, 1 given back before");
    expect(stdout).toContain("everything as expected");
  });
});
