import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { emptyProject } from "../packages/packed.js";
import { describeWith } from "../support/describe-with.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { azureadInUse, dependenciesOnCdktn } from "./project.js";

/** `stack.ts` of a user, in the style of the template. */
const stack = `
  import { AzureadProvider } from "@cdktn/provider-azuread/lib/provider";
  import { AzurermProvider } from "@cdktn/provider-azurerm/lib/provider";
  import { TerraformStack } from "cdktn";
  import {
    CloudEventGridBinding,
    CloudEventGridTopic,
    WebhookApplication,
  } from "cloud-eventgrid-binding-cdktn";
  import { Construct } from "constructs";

  export class ShopStack extends TerraformStack {
    constructor(scope: Construct, id: string) {
      super(scope, id);
      new AzurermProvider(this, "azurerm", { features: [{}] });
      new AzureadProvider(this, "azuread", {});
      const topic = new CloudEventGridTopic(this, "topic", {
        resourceGroupName: "shop",
        location: "westeurope",
      });
      new CloudEventGridBinding(this, "orders", {
        cloudTenantId: "11111111-1111-4111-8111-111111111111",
        cloudSubscriptionId: "22222222-2222-4222-8222-222222222222",
        application: new WebhookApplication(this, "webhook", { displayName: "orders webhook" }),
        subscriberEndpoint: "https://orders.example.com/api/events",
        handshakePort: "9000",
        scope: topic.id,
      });
    }
  }
`;

const main = `
  import { App } from "cdktn";
  import { ShopStack } from "./stack";

  const app = new App();
  new ShopStack(app, "shop");
  app.synth();
`;

const test = `
  import "cdktn/lib/testing/adapters/jest";
  import { EventgridTopic } from "@cdktn/provider-azurerm/lib/eventgrid-topic";
  import { Testing } from "cdktn";
  import { ShopStack } from "../stack";

  it("has a topic that accepts CloudEvents", () => {
    const synthesized = Testing.synth(new ShopStack(Testing.app(), "shop"), true);
    expect(synthesized).toHaveResourceWithProperties(EventgridTopic, {
      input_schema: "CloudEventSchemaV1_0",
    });
  });
`;

describeWith(
  "terraform",
  `a project of cdktn init with the TypeScript template, ${azureadInUse}`,
  () => {
    const folder = temporaryFolder();
    const cdktn = emptyProject();
    let run: (command: string, ...args: string[]) => Promise<string>;

    beforeAll(async () => {
      // cdktn-cli needs a later Node than this repository.
      const node = `node-${process.platform}-${process.arch}`;
      await cdktn.install("cdktn-cli@0.24.0", `node-22@npm:${node}@22`);
      const bin = (name: string) => join(cdktn.folder, "node_modules", name, "bin");
      const PATH = [bin("node-22"), process.env.PATH].join(delimiter);
      const caches = { TMPDIR: temporaryFolder(), CDKTF_DISABLE_PLUGIN_CACHE_ENV: "1" };
      const env = { ...process.env, ...caches, PATH, CHECKPOINT_DISABLE: "1", CI: "1" };
      run = async (command, ...args) => {
        const isCdktn = command === "cdktn";
        const all = isCdktn ? [join(bin("cdktn-cli"), "cdktn"), ...args] : args;
        const program = isCdktn ? join(bin("node-22"), "node") : command;
        return (await promisify(execFile)(program, all, { cwd: folder, env })).stdout;
      };
      await run(
        "cdktn",
        ...["init", "--template=typescript", "--local", "--project-name=shop"],
        ...["--project-description=shop", "--enable-crash-reporting=false"],
      );
    });

    it("compiles, passes its test and synthesizes with the constructs", async () => {
      const file = join(folder, "package.json");
      const manifest = JSON.parse(readFileSync(file, "utf8"));
      const { dependencies, overrides } = await dependenciesOnCdktn();
      const added = { dependencies: { ...manifest.dependencies, ...dependencies }, overrides };
      writeFileSync(file, JSON.stringify({ ...manifest, ...added }));
      await run("npm", "install", "--prefer-offline", "--no-audit", "--no-fund");

      writeFileSync(join(folder, "stack.ts"), stack);
      writeFileSync(join(folder, "main.ts"), main);
      writeFileSync(join(folder, "__tests__/main-test.ts"), test);
      await run("npm", "test");
      await run("cdktn", "synth");
      await run("npm", "run", "build");
      const json = readFileSync(join(folder, "cdktf.out/stacks/shop/cdk.tf.json"), "utf8");
      expect(Object.keys(JSON.parse(json).resource)).toContain(
        "azurerm_eventgrid_event_subscription",
      );
    });
  },
  { timeout: 300_000 },
);
