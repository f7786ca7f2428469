import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, it, vi } from "vitest";
import { ExistingFastifyAppStack } from "../../examples/existing-fastify-app/stack.js";
import { DeployedExample } from "../examples/deployed-example.js";
import { prepareProviders } from "../stand-ins/src/index.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { describeWithTerraform } from "../terraform/with-terraform.js";
import { azureadInUse, cdktnProjectWithExamples } from "./project.js";

const name = "existing-fastify-app";
const readJson = (file: string) => JSON.parse(readFileSync(file, "utf8"));

describeWithTerraform(`a stack deployed with cdktf, ${azureadInUse}`, () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    vi.unstubAllEnvs();
    for (const close of closing.splice(0).reverse()) await close();
  });

  it("has an empty plan after its project has moved to cdktn and azurerm 4.73", async () => {
    const project = await cdktnProjectWithExamples();
    const example = await DeployedExample.deploy({
      service: `${name}/service.ts`,
      stack: (app, place) => new ExistingFastifyAppStack(app, name, place),
    });
    closing.push(() => example.stop());

    const outdir = temporaryFolder();
    const { cloudTenantId, cloudSubscriptionId, cloudAuthorityHost, cloudClientId } = example.place;
    const env = {
      PATH: process.env.PATH,
      CDKTF_OUTDIR: outdir,
      CLOUD_TENANT_ID: cloudTenantId,
      CLOUD_SUBSCRIPTION_ID: cloudSubscriptionId,
      CLOUD_AUTHORITY_HOST: cloudAuthorityHost,
      CLOUD_CLIENT_ID: cloudClientId,
      HANDSHAKE_PORT: example.place.handshakePort,
    };
    const args = ["--import", "tsx", `examples/${name}/main.ts`];
    await promisify(execFile)(process.execPath, args, { cwd: project.folder, env });

    const file = join("stacks", name, "cdk.tf.json");
    const before = readJson(join(example.outdir, file));
    const after = readJson(join(outdir, file));
    expect(before.terraform.required_providers.azurerm.version).toBe("4.55.0");
    expect(after.terraform.required_providers.azurerm.version).toBe("4.73.0");
    after.terraform.backend = before.terraform.backend;
    writeFileSync(join(example.outdir, file), JSON.stringify(after));

    vi.stubEnv("STAND_IN_AZURERM", "4.73.0");
    const providers = await prepareProviders("stand-ins", example.cloud.terraformEnvironment());
    closing.push(() => providers.stop());
    const terraform = example.terraform({ providers });
    await terraform.init();
    expect((await terraform.plan()).changes).toEqual([]);
  });
});
