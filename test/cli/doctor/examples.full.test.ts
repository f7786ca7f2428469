import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FromComponentStack } from "../../../examples/from-component/stack.js";
import { KubernetesStack } from "../../../examples/kubernetes/stack.js";
import { OrdersStack } from "../../../examples/orders/stack.js";
import { DeployedContainerApp } from "../../examples/deployed-container-app.js";
import { DeployedExample, type ExampleSetting } from "../../examples/deployed-example.js";
import { sourceExamples } from "../../examples/source-examples.js";
import { root } from "../../support/project.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { describeWithTerraform } from "../../terraform/with-terraform.js";

const program = join(root, "cli/bin/cloud-eventgrid.js");

const settings: readonly (ExampleSetting & { readonly name: string })[] = [
  ...sourceExamples.map(({ family, stack }) => ({
    name: family,
    service: `sources/${family}/service.ts`,
    stack: ((app, place) => new stack(app, family, place)) satisfies ExampleSetting["stack"],
  })),
  {
    name: "kubernetes",
    subscriberEndpoint: "https://shop.example.com/hooks/orders",
    rewrite: { "/hooks/orders": "/api/events" },
    service: "kubernetes/service.ts",
    stack: (app, place) =>
      new KubernetesStack(app, "kubernetes", { ...place, webhookProbe: false }),
  },
];

/** Runs `doctor` on the outputs of an applied example. */
function doctorOnOutputs(example: DeployedExample) {
  const { outdir } = example;
  // The outputs in a state file have the form that terraform output -json prints.
  const state = JSON.parse(readFileSync(join(outdir, "terraform.tfstate"), "utf8"));
  writeFileSync(join(outdir, "outputs.json"), JSON.stringify(state.outputs));
  const id = subscriptionId(example);
  return doctor(example, ["--terraform", "outputs.json", "--event-subscription", id]);
}

function subscriptionId({ cloud }: DeployedExample): string {
  const [subscription] = cloud.eventSubscriptions.list();
  if (subscription === undefined) throw new Error("the example has an event subscription");
  return subscription.id;
}

/** Runs `doctor` with the credentials of the deployer. */
function doctor(
  { cloud, outdir, place }: DeployedExample,
  definition: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const probeUrl = `http://127.0.0.1:${place.handshakePort}/api/events`;
  const args = [program, "doctor", ...definition, "--probe-url", probeUrl];
  const options = {
    cwd: outdir,
    env: { ...process.env, ...environment, ...cloud.terraformEnvironment() },
  };
  return new Promise<{ exitCode: number; out: string }>((resolve) => {
    const child = execFile(process.execPath, args, options, (_, out, error) => {
      resolve({ exitCode: child.exitCode ?? -1, out: out + error });
    });
  });
}

function expectHealthy({ exitCode, out }: { exitCode: number; out: string }): void {
  expect(out).toContain("Nothing prevents delivery.");
  expect(exitCode).toBe(0);
}

describeWithTerraform("cloud-eventgrid doctor on deployed examples", () => {
  it.each(settings)(
    "finds nothing wrong with the example $name",
    async (setting) => {
      const example = await DeployedExample.deploy(setting);
      try {
        expectHealthy(await doctorOnOutputs(example));
      } finally {
        await example.stop();
      }
    },
    120_000,
  );

  it("finds nothing wrong with the example container-apps", async () => {
    const app = await DeployedContainerApp.deploy();
    try {
      const { example, environment } = app;
      const id = subscriptionId(example);
      const tenant = example.cloud.directory.tenant(example.cloud.tenantId);
      const { AZURE_CLIENT_ID = "" } = environment;
      const { objectId = "" } = tenant?.servicePrincipals.byClientId(AZURE_CLIENT_ID) ?? {};
      const definition = ["--env", "WAREHOUSE", "--event-subscription", id];
      const publisher = ["--publisher", objectId];
      expectHealthy(await doctor(example, [...definition, ...publisher], environment));
    } finally {
      await app.stop();
    }
  }, 120_000);

  it("finds nothing wrong with the example orders", async () => {
    const example = await DeployedExample.prepare({
      service: "orders/service.ts",
      stack: (app, { cloudClientId: _, ...place }) =>
        new OrdersStack(app, "orders", {
          ...place,
          logFile: join(temporaryFolder(), "orders.log"),
        }),
    });
    try {
      example.synthesize();
      await example.terraform().init();
      await example.terraform().apply();
      expectHealthy(await doctorOnOutputs(example));
      // Stops the service, which Terraform started.
      await example.terraform().destroy();
    } finally {
      await example.stop();
    }
  }, 120_000);

  it("finds nothing wrong with the example from-component, given its document", async () => {
    const file = join(root, "examples/from-component/components/orders.yaml");
    const document = readFileSync(file, "utf8");
    const clientId = "44444444-4444-4444-8444-444444444444";
    const example = await DeployedExample.prepare({
      clientId,
      service: "from-component/service.ts",
      stack: (app, { handshakePort }, { authorityHost }) =>
        new FromComponentStack(app, "from-component", {
          document: document.replace('"9000"', `"${handshakePort}"`),
          existingSubscription: "adopt",
          cloudAuthorityHost: authorityHost,
        }),
    });
    const { cloud, place } = example;
    try {
      const { environment } = example.synthesize();
      await example.serve(environment as Record<string, string>);
      const { id: scope } = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
      const endpointUrl = place.subscriberEndpoint;
      await cloud.eventSubscriptions.create({
        name: "orders-events",
        scope,
        endpointUrl,
        clientId,
      });
      await example.terraform().init();
      await example.terraform().apply();
      expectHealthy(await doctor(example, [file]));
    } finally {
      await example.stop();
    }
  }, 120_000);
});
