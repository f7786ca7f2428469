import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Terraform } from "../../stand-ins/src/index.js";
import { describeWithTerraform } from "../../terraform/with-terraform.js";
import { command } from "../command.js";
import { directoryWith } from "../temporary.js";
import { clientId, cloudWithWebhook, configuredProviders } from "./cloud-with-webhook.js";
import { document, withQuery } from "./document.js";

describeWithTerraform("a module of cloud-eventgrid synth", () => {
  it("is applied from HCL, and lets the client write its subscription", async () => {
    const { cloud, client, providers, stop } = await cloudWithWebhook([]);
    try {
      const { objectId } = client.servicePrincipal;
      cloud.control.assignRole("Reader", objectId, `/subscriptions/${cloud.subscriptionId}`);
      const directory = directoryWith({ "orders.yaml": withQuery });
      await command(["synth", "orders.yaml", "--out", "module", "--writer", "client"], {
        directory,
      });
      const module = join(directory, "module");
      execFileSync("terraform", ["fmt", "-check", "-diff", "-recursive", module]);
      for (const example of ["basic", "new-topic"]) {
        const examples = new Terraform({
          directory: join(module, "examples", example),
          providers,
        });
        await examples.init();
        await examples.validate();
      }
      writeFileSync(
        join(directory, "main.tf"),
        `${configuredProviders}provider "azurerm" {
  alias                           = "client"
  client_id                       = "${clientId}"
  client_secret                   = "s3cret"
  resource_provider_registrations = "none"
  features {}
}
module "event_grid" {
  source              = "./module"
  providers           = { azurerm = azurerm, azurerm.client = azurerm.client }
  role_effect_seconds = 0
  subscriber_endpoint = "https://events.example.com/api/events?code=hush"
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
      await terraform.destroy();
      expect(cloud.eventSubscriptions.list()).toEqual([]);
    } finally {
      await stop();
    }
  });

  it("takes null for a default, and refuses ports, times, operators and names before it plans", async () => {
    const { providers, stop } = await cloudWithWebhook([]);
    try {
      const directory = directoryWith({ "orders.yaml": document });
      await command(["synth", "orders.yaml", "--out", "module"], { directory });
      const write = (settings: string) =>
        writeFileSync(
          join(directory, "main.tf"),
          `${configuredProviders}module "orders" {
  source = "./module"
${settings}}
`,
        );
      const declared = readFileSync(join(directory, "module/variables.tf"), "utf8");
      const names = [...declared.matchAll(/^variable "(\w+)"/gm)].map(([, name]) => name);
      write(names.map((name) => `  ${name} = null\n`).join(""));
      const terraform = new Terraform({ directory, providers });
      await terraform.init();
      await terraform.plan();
      const many = JSON.stringify(Array.from({ length: 26 }, (_, i) => `v${i}`));
      write(`  handshake_port             = "65536"
  expiration_time_utc        = "2030-02-30T00:00:00Z"
  event_time_to_live_minutes = 0.5
  role_effect_seconds        = -1
  probe                      = { timeout_seconds = 0 }
  advanced_filters           = [{ operator = "string_is", key = "a.b", strings = ${many} }]
  topic                      = { name = "a_b", resource_group_name = "shop", location = "westeurope" }
  dead_letter                = { storage_account_id = "letters", container = "Dead", identity = { type = "Own" } }
  writer_principals          = [{ object_id = "me", principal_type = "Person" }]
`);
      const refused = await terraform.plan().then(
        () => "",
        (error: Error) => error.message,
      );
      const refusals = refused.matchAll(/^.*?([\w.[*\]]+) (?:must (?:be|have|name) )/gm);
      expect(new Set([...refusals].map(([, name]) => name))).toEqual(
        new Set([
          "handshake_port",
          "expiration_time_utc",
          "event_time_to_live_minutes",
          "role_effect_seconds",
          "probe.timeout_seconds",
          "advanced_filters",
          "advanced_filters[*].operator",
          "advanced_filters[*].key",
          "topic.name",
          "dead_letter.storage_account_id",
          "dead_letter.container",
          "dead_letter.identity.type",
          "writer_principals[*].object_id",
          "writer_principals[*].principal_type",
        ]),
      );
      write(`  advanced_filters = [{ operator = "string_in", key = "subject", numbers = [1] }]\n`);
      await expect(terraform.plan()).rejects.toThrow(/exactly the value of its operator/);
    } finally {
      await stop();
    }
  });
});
