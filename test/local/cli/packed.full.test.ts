import { execFile } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { type EmptyProject, emptyProject, pack } from "../../packages/packed.js";
import { startProgram } from "../support/run-program.js";

const run = promisify(execFile);

/** As a new user meets it: the packed package in an empty directory, a shell, and curl. */
describe("the packed command", () => {
  let project: EmptyProject;
  let bin: string;

  beforeAll(async () => {
    project = emptyProject();
    await project.install(await pack("local"));
    bin = join(project.folder, "node_modules/.bin");
  });

  const start = (...argv: string[]) =>
    startProgram(join(bin, "cloud-eventgrid-local"), argv, { cwd: project.folder });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "starts in an empty directory and stops cleanly on %s",
    async (signal) => {
      const { child, printed } = start("--topic", "orders");
      await printed(/AZURE_CLIENT_SECRET/);
      child.kill(signal);
      expect(await once(child, "exit")).toEqual([0, null]);
    },
  );

  it("prints an environment with which curl signs in and calls Resource Manager", async () => {
    const { printed } = start();
    await printed(/AZURE_CLIENT_SECRET/);
    const script = `
      eval "$(cloud-eventgrid-local env)"
      azure="https://$ARM_METADATA_HOSTNAME"
      token=$(curl -sS --cacert "$NODE_EXTRA_CA_CERTS" "$azure/$ARM_TENANT_ID/oauth2/v2.0/token" \
        -d grant_type=client_credentials -d "client_id=$ARM_CLIENT_ID" \
        -d "client_secret=$ARM_CLIENT_SECRET" -d "scope=$azure/.default" |
        sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
      curl -sS --cacert "$SSL_CERT_FILE" -H "Authorization: Bearer $token" \
        "$azure/subscriptions/$ARM_SUBSCRIPTION_ID?api-version=2022-12-01"
    `;
    const { stdout } = await run("sh", ["-c", script], {
      cwd: project.folder,
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    });
    expect(JSON.parse(stdout)).toMatchObject({
      subscriptionId: "22222222-2222-4222-8222-222222222222",
      state: "Enabled",
    });
  });
});
