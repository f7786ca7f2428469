import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { ExpressStack } from "../../examples/express/stack.js";
import { DeployedExample } from "../examples/deployed-example.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { describeWithTerraform } from "../terraform/with-terraform.js";

describeWithTerraform("leaving the constructs", () => {
  let example: DeployedExample | undefined;
  afterEach(() => example?.stop());

  it("leaves a configuration whose plan has no changes", async () => {
    example = await DeployedExample.deploy({
      service: "express/service.ts",
      stack: (app, place) => new ExpressStack(app, "express", place),
    });
    const directory = temporaryFolder();
    copyFileSync(
      join(example.outdir, "stacks/express/cdk.tf.json"),
      join(directory, "cdk.tf.json"),
    );
    const terraform = example.terraform({ directory });
    await terraform.init();
    expect((await terraform.plan()).changes).toEqual([]);
    expect((await terraform.state()).length).toBeGreaterThan(3);
  });
});
