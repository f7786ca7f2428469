import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ExistingFastifyAppStack } from "../../../examples/existing-fastify-app/stack.js";
import { KubernetesStack } from "../../../examples/kubernetes/stack.js";
import { DeployedExample, type ExampleSetting } from "../../examples/deployed-example.js";
import { sourceExamples } from "../../examples/source-examples.js";
import { root } from "../../support/project.js";
import { describeWithTerraform } from "../../terraform/with-terraform.js";

const program = join(root, "cli/bin/cloud-eventgrid.js");

const settings: readonly (ExampleSetting & { readonly name: string })[] = [
  ...sourceExamples.map(({ family, stack }) => ({
    name: family,
    service: `sources/${family}/service.ts`,
    stack: ((app, place) => new stack(app, family, place)) satisfies ExampleSetting["stack"],
  })),
  {
    name: "existing-fastify-app",
    service: "existing-fastify-app/service.ts",
    stack: (app, place) => new ExistingFastifyAppStack(app, "existing-fastify-app", place),
  },
  {
    name: "kubernetes",
    subscriberEndpoint: "https://shop.example.com/hooks/orders",
    rewrite: { "/hooks/orders": "/api/events" },
    service: "kubernetes/service.ts",
    stack: (app, place) =>
      new KubernetesStack(app, "kubernetes", { ...place, webhookProbe: false }),
  },
];

/** Runs `doctor` on the outputs of an applied example, with the deployer's own credentials. */
function doctor(example: DeployedExample): Promise<{ exitCode: number; out: string }> {
  const { cloud, outdir, place } = example;
  // The outputs in a state file have the form that terraform output -json prints.
  const state = JSON.parse(readFileSync(join(outdir, "terraform.tfstate"), "utf8"));
  writeFileSync(join(outdir, "outputs.json"), JSON.stringify(state.outputs));
  const [subscription] = cloud.eventSubscriptions.list();
  if (subscription === undefined) throw new Error("the example has an event subscription");
  const { scope, name } = subscription;
  const args = [
    ...["doctor", "--terraform", "outputs.json"],
    ...[
      "--event-subscription",
      `${scope}/providers/Microsoft.EventGrid/eventSubscriptions/${name}`,
    ],
    ...["--probe-url", `http://127.0.0.1:${place.handshakePort}/api/events`],
  ];
  const env = { ...process.env, ...cloud.terraformEnvironment() };
  return new Promise((resolve) => {
    const options = { cwd: outdir, env };
    const child = execFile(process.execPath, [program, ...args], options, (_, out, error) => {
      resolve({ exitCode: child.exitCode ?? -1, out: out + error });
    });
  });
}

describeWithTerraform("cloud-eventgrid doctor", () => {
  it.each(settings)(
    "finds nothing wrong with the deployed example $name",
    async (setting) => {
      const example = await DeployedExample.deploy(setting);
      try {
        const { exitCode, out } = await doctor(example);
        expect(out).toContain("Nothing prevents delivery.");
        expect(exitCode).toBe(0);
      } finally {
        await example.stop();
      }
    },
    120_000,
  );
});
