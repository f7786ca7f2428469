import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch, platform, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DataAzureadClientConfig } from "@cdktf/provider-azuread/lib/data-azuread-client-config/index.js";
import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { LocalCloud } from "cloud-eventgrid-local";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Providers, prepareProviders, Terraform } from "../stand-ins/src/index.js";
import { Synthesis } from "./synthesize.js";
import { describeWithTerraform } from "./with-terraform.js";

const schemas = resolve("test/provider-schemas");

/** Quoted for a shell, because the path of the project may contain a quote. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

/** A directory as `terraform providers mirror` lays it out, with programs that stand in. */
function fill(mirror: string, provider: string, version: string): void {
  const recorded = readFileSync(join(schemas, `${provider}-${version}.json`), "utf8");
  const [address = ""] = Object.keys(JSON.parse(recorded).provider_schemas);
  const system = `${platform()}_${arch() === "x64" ? "amd64" : arch()}`;
  const folder = join(mirror, address, version, system);
  mkdirSync(folder, { recursive: true });
  const program = join(folder, `terraform-provider-${provider}_v${version}`);
  const tsx = resolve("node_modules/.bin/tsx");
  const module = resolve("test/stand-ins/src/program.ts");
  writeFileSync(program, `#!/bin/sh\nexec ${quoted(tsx)} ${quoted(module)} ${provider}\n`);
  chmodSync(program, 0o755);
}

describeWithTerraform("providers from a directory", () => {
  let mirror: string;
  let cloud: LocalCloud;
  let providers: Providers | undefined;
  let synthesis: Synthesis;

  beforeEach(async () => {
    mirror = mkdtempSync(join(tmpdir(), "cloud-eventgrid-mirror-"));
    cloud = await LocalCloud.start({ control: true });
    synthesis = new Synthesis();
    synthesis.write((stack) => {
      new ResourceGroup(stack, "group", { name: "shop", location: "westeurope" });
      new DataAzureadClientConfig(stack, "caller", {});
    });
  });
  afterEach(async () => {
    await providers?.stop();
    await cloud.stop();
    synthesis.remove();
    rmSync(mirror, { recursive: true });
  });

  it("are installed and started by Terraform, and find the local Azure", async () => {
    fill(mirror, "azurerm", "4.55.0");
    fill(mirror, "azuread", "3.7.0");
    providers = await prepareProviders(
      { mirror },
      { ...cloud.terraformEnvironment(), TF_DISABLE_PLUGIN_TLS: "1" },
    );
    const terraform = new Terraform({ directory: synthesis.directory, providers });
    await terraform.init();
    await terraform.apply();
    expect((await terraform.state()).map(({ type }) => type)).toEqual(["azurerm_resource_group"]);
    expect((await terraform.plan()).changes).toEqual([]);
    await terraform.destroy();
    expect(await terraform.state()).toEqual([]);
  });

  it("must be complete, because nothing is downloaded", async () => {
    fill(mirror, "azurerm", "4.55.0");
    providers = await prepareProviders({ mirror }, cloud.terraformEnvironment());
    const terraform = new Terraform({ directory: synthesis.directory, providers });
    await expect(terraform.init()).rejects.toThrow(
      /hashicorp\/azuread was\s+not\s+found in any of the search locations/,
    );
  });
});
