import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { expectAllSteps } from "../examples/orders-steps.js";
import { describeWithTerraform } from "../terraform/with-terraform.js";
import { azureadInUse, cdktnProjectWithExamples } from "./project.js";

describeWithTerraform(`the orders example in a project of cdktn, ${azureadInUse}`, () => {
  it("applies, delivers, finds nothing more to change, updates and destroys", async () => {
    const { folder } = await cdktnProjectWithExamples();
    const args = ["--import", "tsx", "examples/orders/start.ts"];
    const env = { ...process.env, STAND_IN_AZURERM: "4.73.0" };
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
    expectAllSteps(stdout);
    expect(stdout).toMatch(/plan {8}once more: 0 changes/);
    expect(stdout).toMatch(/plan {8}0 to add, 1 to change, 0 to destroy/);
  });
});
