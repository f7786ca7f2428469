import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { describeWith } from "../../support/describe-with.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { startCloud } from "../support/cloud.js";

/**
 * Terraform and its providers are Go programs, which read the authority from `SSL_CERT_FILE`. A
 * state backend over HTTPS makes the program itself call the local Azure, without any provider.
 */
describeWith("terraform", "Terraform's own TLS", () => {
  async function init(address: string, environment: Record<string, string>): Promise<string> {
    const directory = temporaryFolder();
    const configuration = { terraform: { backend: { http: { address } } } };
    writeFileSync(join(directory, "main.tf.json"), JSON.stringify(configuration));
    const env = { ...process.env, ...environment };
    const ended = await promisify(execFile)("terraform", ["init", "-no-color"], {
      cwd: directory,
      env,
    }).catch((failure: { stdout: string; stderr: string }) => failure);
    return `${ended.stdout}${ended.stderr}`;
  }

  it("trusts the local Azure with the environment for Terraform", async () => {
    const cloud = await startCloud({ control: true });
    // 404 means that no state has been written yet.
    const output = await init(`${cloud.control.origin}/state`, cloud.terraformEnvironment());
    expect(output).toContain("Terraform has been successfully initialized!");
  });

  it("does not trust the local Azure without the environment", async () => {
    const cloud = await startCloud({ control: true });
    const output = await init(`${cloud.control.origin}/state`, {
      TF_HTTP_RETRY_MAX: "0",
      SSL_CERT_FILE: "",
    });
    expect(output).toContain("certificate signed by unknown authority");
  });
});
