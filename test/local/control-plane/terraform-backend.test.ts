import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, expect, it } from "vitest";
import { requireTerraform } from "../../stand-ins/src/index.js";
import { describeWith } from "../../support/describe-with.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { startCloud } from "../support/cloud.js";

/**
 * Terraform's azurerm state backend uses the same Go libraries as the azurerm provider for the
 * cloud's metadata, for signing in and for Resource Manager. The tests run them unmodified.
 */
describeWith("terraform", "the providers' own client libraries", () => {
  let directory: string;
  beforeEach(() => {
    directory = temporaryFolder();
    const azurerm = {
      resource_group_name: "shop",
      storage_account_name: "photos",
      container_name: "state",
      key: "shop.tfstate",
    };
    const configuration = { terraform: { backend: { azurerm } } };
    writeFileSync(join(directory, "main.tf.json"), JSON.stringify(configuration));
  });

  async function init(environment: Record<string, string>): Promise<string> {
    const env = { ...process.env, CHECKPOINT_DISABLE: "1", ...environment };
    const ended = await promisify(execFile)(requireTerraform(), ["init", "-no-color"], {
      cwd: directory,
      env,
    }).catch((failure: { stdout: string; stderr: string }) => failure);
    return `${ended.stdout}${ended.stderr}`;
  }

  it("find the cloud, sign in, call Resource Manager and report its errors", async () => {
    const cloud = await startCloud({ control: true });
    const output = await init(cloud.terraformEnvironment());
    expect(output).toContain(
      "unexpected status 404 (404 Not Found) with error: ResourceGroupNotFound: Resource group 'shop' could not be found.",
    );
  });

  it("report Entra's error for a wrong secret", async () => {
    const cloud = await startCloud({ control: true });
    const output = await init({ ...cloud.terraformEnvironment(), ARM_CLIENT_SECRET: "guess" });
    expect(output).toContain("received HTTP status 401");
    expect(output).toContain("AADSTS7000215: Invalid client secret provided.");
  });
});
