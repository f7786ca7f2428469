import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { type EmptyProject, emptyProject } from "../packages/packed.js";
import { testedVersions } from "../packages/versions.js";
import { root } from "../support/project.js";
import { copyForCdktn, dependenciesOnCdktn } from "./project.js";

const tsx = join(root, "node_modules/tsx/dist/cli.mjs");

/** Passes resources, providers and tokens of cdktn to the constructs. */
const program = `
  import { AzureadProvider } from "@cdktn/provider-azuread/lib/provider/index.js";
  import { ContainerApp } from "@cdktn/provider-azurerm/lib/container-app/index.js";
  import { AzurermProvider } from "@cdktn/provider-azurerm/lib/provider/index.js";
  import { StorageAccount } from "@cdktn/provider-azurerm/lib/storage-account/index.js";
  import { App, TerraformStack, TerraformVariable } from "cdktn";
  import { CloudEventGridBinding, WebhookApplication, sources } from "cloud-eventgrid-binding-cdktn";

  const app = new App();
  const stack = new TerraformStack(app, "shop");
  const azurerm = new AzurermProvider(stack, "azurerm", { features: [{}] });
  const azuread = new AzureadProvider(stack, "azuread", {});
  const port = new TerraformVariable(stack, "port", { type: "string" });
  const account = new StorageAccount(stack, "account", {
    name: "shop",
    resourceGroupName: "shop",
    location: "westeurope",
    accountTier: "Standard",
    accountReplicationType: "LRS",
  });
  const binding = new CloudEventGridBinding(stack, "orders", {
    azurerm,
    cloudTenantId: "11111111-1111-4111-8111-111111111111",
    cloudSubscriptionId: "22222222-2222-4222-8222-222222222222",
    application: new WebhookApplication(stack, "webhook", { displayName: "orders", azuread }),
    subscriberEndpoint: "https://orders.example.com/api/events",
    handshakePort: port.stringValue,
    ...sources.objectStorage(account, { container: "inbox" }),
  });
  const { env, secret } = binding.runtimeEnvironment("ORDERS").forContainerApp();
  const service = new ContainerApp(stack, "service", {
    name: "orders",
    resourceGroupName: "shop",
    containerAppEnvironmentId: "/environment",
    revisionMode: "Single",
    secret,
    template: { container: [{ name: "orders", image: "orders", cpu: 0.25, memory: "0.5Gi", env }] },
  });
  binding.waitFor(service);
  app.synth();
`;

describe("the packed constructs in an empty project of cdktn", () => {
  let project: EmptyProject;
  let npmOutput: string;
  beforeAll(async () => {
    project = emptyProject({ ...(await dependenciesOnCdktn()) });
    npmOutput = await project.install();
    project.link("@types/node");
  });

  it("install without a warning, without cdktf and its providers", () => {
    expect(npmOutput).not.toMatch(/EBADENGINE|ERESOLVE|deprecated/);
    const cdktn = join(project.folder, "node_modules/cdktn/package.json");
    const { version } = JSON.parse(readFileSync(cdktn, "utf8"));
    expect(testedVersions("cdktn")).toEqual([version.split(".").slice(0, 2).join(".")]);
    const installed = readdirSync(join(project.folder, "node_modules"));
    expect(installed).toContain("cdktn");
    expect(installed).not.toContain("cloud-eventgrid-binding");
    expect(installed).not.toContain("@cdktf");
  });

  it("can be required and imported, with the same exports as those for cdktf", async () => {
    const name = "cloud-eventgrid-binding-cdktn";
    // Names of Node's, for CommonJS that is imported.
    const ours = "(name) => !/^(__esModule|default|module.exports)$/.test(name)";
    const print = `console.log(Object.keys(m).filter(${ours}).sort().join())`;
    const exports = Object.keys(await import("cloud-eventgrid-binding"))
      .sort()
      .join();
    expect(await project.node("r.cjs", `const m = require("${name}"); ${print}`)).toBe(exports);
    expect(await project.node("i.mjs", `import * as m from "${name}"; ${print}`)).toBe(exports);
  });

  it.each([
    ["node10", { module: "commonjs", moduleResolution: "node10" }],
    ["nodenext", { module: "nodenext", moduleResolution: "nodenext" }],
    ["bundler", { module: "esnext", moduleResolution: "bundler" }],
  ])("accept the types of cdktn's resources under %s resolution", async (_, options) => {
    const errors = await project.compile("main.ts", program, { ...options, skipLibCheck: true });
    expect(errors).toBe("");
  });

  it("name cdktn in messages and comments, and cdktf only in the names of its files", async () => {
    const folder = join(project.folder, "node_modules/cloud-eventgrid-binding-cdktn/dist");
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    const named = files.filter(({ parentPath, name }) =>
      /cdktf(?!\.(json|out)\b)/.test(readFileSync(join(parentPath, name), "utf8")),
    );
    expect(files.length).toBeGreaterThan(100);
    expect(named).toEqual([]);
    project.write("hcl.mts", program);
    const env = { ...process.env, SYNTH_HCL_OUTPUT: "true" };
    const synthesis = promisify(execFile)(process.execPath, [tsx, "hcl.mts"], {
      cwd: project.folder,
      env,
    });
    await expect(synthesis).rejects.toThrow("need cdktn's output format JSON");
  });

  it("synthesize with resources and tokens of cdktn", async () => {
    project.write("main.mts", program);
    await promisify(execFile)(process.execPath, [tsx, "main.mts"], { cwd: project.folder });
    const file = join(project.folder, "cdktf.out/stacks/shop/cdk.tf.json");
    const { resource } = JSON.parse(readFileSync(file, "utf8"));
    const [subscription] = Object.values(resource.azurerm_eventgrid_event_subscription);
    expect(subscription).toMatchObject({
      scope: expect.stringContaining("azurerm_storage_account.account.id"),
      depends_on: expect.arrayContaining(["azurerm_container_app.service"]),
    });
    expect(resource.azurerm_container_app.service.template.container[0].env).toContainEqual({
      name: "ORDERS_HANDSHAKE_PORT",
      value: "${var.port}",
    });
  });

  it("compile from source against cdktn and its providers", async () => {
    copyForCdktn(join(root, "lib"), join(project.folder, "lib"));
    const { compilerOptions } = JSON.parse(readFileSync(join(root, "tsconfig.base.json"), "utf8"));
    const options = { ...compilerOptions, composite: false, declaration: false };
    expect(await project.compile("all.ts", 'import "./lib/index.js";', options)).toBe("");
  });
});
