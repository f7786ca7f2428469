import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { LocalCloud } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { prepareProviders, Terraform } from "../stand-ins/src/index.js";
import { root } from "../support/project.js";
import { describeWithTerraform, source } from "../terraform/with-terraform.js";
import { command } from "./command.js";
import { consent } from "./probe/probing.js";
import { directoryWith } from "./temporary.js";

const document = readFileSync(
  join(root, "examples/from-component/components/orders-earlier.yaml"),
  "utf8",
);
const withQuery = document.replace("/api/events", "/api/events?code=hush");

describe("cloud-eventgrid synth", () => {
  it("writes a module without provider blocks and secrets, with variables for them", async () => {
    const directory = directoryWith({ "orders.yaml": withQuery });
    const { exitCode, out } = await command(["synth", "orders.yaml", "--out", "module"], {
      directory,
    });
    expect(exitCode).toBe(0);
    expect(out).toBe(`module/main.tf.json
module/README.md

module "event_grid" {
  source = "./module"
  orders_events_subscriber_endpoint = var.orders_events_subscriber_endpoint
}
`);
    const text = readFileSync(join(directory, "module/main.tf.json"), "utf8");
    expect(text).not.toMatch(/hush|not-a-real-secret|"\/\/"/);
    const module = JSON.parse(text);
    expect(Object.keys(module).sort()).toEqual([
      ...["data", "output", "resource", "terraform", "variable"],
    ]);
    expect(module.terraform.required_providers).toEqual({
      azuread: { source: "hashicorp/azuread", version: expect.stringMatching(/^~> 3\.\d+$/) },
      azurerm: { source: "hashicorp/azurerm", version: expect.stringMatching(/^~> 4\.\d+$/) },
    });
    expect(module.variable).toEqual({
      orders_events_subscriber_endpoint: { type: "string", sensitive: true },
      wait_for: { type: "any", default: [] },
    });
  });

  it("reports the problems of an invalid document and exits with 3", async () => {
    const directory = directoryWith({ "orders.yaml": document.replace('"9000"', '"0"') });
    const args = ["synth", "orders.yaml", "--out", "module"];
    const { exitCode, error } = await command(args, { directory });
    expect(exitCode).toBe(3);
    expect(error).toContain("handshakePort must be");
  });
});

/**
 * A cloud with the application and the topic of the document, and a webhook that consents: at once, or
 * after a request for `/start`.
 */
async function cloudWithWebhook(roles?: readonly [], starts = false) {
  let started = !starts;
  const server = createServer(({ url }, response) => {
    if (url === "/start") started = true;
    response.writeHead(started ? 200 : 503, consent).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const cloud = await LocalCloud.start({
    control: { eventGridRegistered: true },
    ingress: { "https://events.example.com": `http://127.0.0.1:${port}` },
  });
  cloud.applications.create({ displayName: "orders", clientId, ...(roles && { roles }) });
  const topic = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
  const providers = await prepareProviders(source, cloud.terraformEnvironment());
  const stop = async () => {
    await providers.stop();
    await cloud.stop();
    await new Promise((resolve) => server.close(resolve));
  };
  return { cloud, topic, providers, port, stop };
}

const clientId = "44444444-4444-4444-8444-444444444444";
const configuredProviders = `provider "azurerm" {
  features {}
}
provider "azuread" {}
`;

describeWithTerraform("a module of cloud-eventgrid synth", () => {
  it("is applied from HCL", async () => {
    const { cloud, providers, stop } = await cloudWithWebhook([]);
    try {
      const directory = directoryWith({ "orders.yaml": withQuery });
      await command(["synth", "orders.yaml", "--out", "module"], { directory });
      writeFileSync(
        join(directory, "main.tf"),
        `${configuredProviders}module "event_grid" {
  source                            = "./module"
  orders_events_subscriber_endpoint = "https://events.example.com/api/events?code=hush"
}
`,
      );
      const terraform = new Terraform({ directory, providers });
      await terraform.init();
      await terraform.apply();
      expect(cloud.eventSubscriptions.list()).toMatchObject([
        {
          name: "ordersearlier",
          settings: { endpointUrl: "https://events.example.com/api/events?code=hush", clientId },
        },
      ]);
      expect((await terraform.plan()).changes).toEqual([]);
    } finally {
      await stop();
    }
  });

  it("waits for what serves the webhook, at first and when that changes", async () => {
    const { cloud, providers, port, stop } = await cloudWithWebhook([], true);
    try {
      const directory = directoryWith({ "orders.yaml": document });
      await command(["synth", "orders.yaml", "--out", "module"], { directory });
      const script = `await fetch("http://127.0.0.1:${port}/start")`;
      const interpreter = [process.execPath, "--input-type=module", "-e"];
      const write = (release: string) =>
        writeFileSync(
          join(directory, "main.tf"),
          `${configuredProviders}resource "terraform_data" "service" {
  input = "${release}"
  provisioner "local-exec" {
    interpreter = ${JSON.stringify(interpreter)}
    command     = ${JSON.stringify(script)}
  }
}
module "event_grid" {
  source   = "./module"
  wait_for = [terraform_data.service.output]
}
`,
        );
      const terraform = new Terraform({ directory, providers });
      write("1");
      await terraform.init();
      await terraform.apply();
      expect(cloud.handshakes()).toMatchObject([{ succeeded: true }]);
      write("2");
      const { changes } = await terraform.apply();
      expect(changes.map(({ address }) => address)).toEqual(["terraform_data.service"]);
      await terraform.destroy();
      expect(cloud.eventSubscriptions.list()).toEqual([]);
    } finally {
      await stop();
    }
  });

  it("takes over the subscription of a component with the printed import block", async () => {
    const { cloud, topic, providers, stop } = await cloudWithWebhook();
    try {
      const endpointUrl = "https://events.example.com/api/events";
      const name = "ordersearlier";
      await cloud.eventSubscriptions.create({ name, scope: topic.id, endpointUrl, clientId });
      const directory = directoryWith({ "orders.yaml": document });
      const args = ["synth", "orders.yaml", "--out", "module", "--adopted"];
      const { out } = await command(args, { directory });
      const printed = out.slice(out.indexOf("module "));
      writeFileSync(join(directory, "main.tf"), configuredProviders + printed);
      const terraform = new Terraform({ directory, providers });
      await terraform.init();
      await terraform.apply();
      expect(cloud.handshakes()).toHaveLength(2);
      expect((await terraform.plan()).changes).toEqual([]);
    } finally {
      await stop();
    }
  });
});
