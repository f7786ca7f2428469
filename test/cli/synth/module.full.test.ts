import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bindingFromEnvironment } from "cloud-eventgrid-binding-runtime";
import { expect, it } from "vitest";
import { Terraform } from "../../stand-ins/src/index.js";
import { describeWithTerraform } from "../../terraform/with-terraform.js";
import { command } from "../command.js";
import { directoryWith } from "../temporary.js";
import { clientId, cloudWithWebhook, configuredProviders } from "./cloud-with-webhook.js";
import { document } from "./document.js";

describeWithTerraform("a module of cloud-eventgrid synth", () => {
  it("is formatted and valid, and takes every setting of a binding", async () => {
    const { cloud, topic, providers, stop } = await cloudWithWebhook([]);
    try {
      const directory = directoryWith({ "orders.yaml": document });
      await command(["synth", "orders.yaml", "--out", "module"], { directory });
      execFileSync("terraform", ["fmt", "-check", "-recursive", join(directory, "module")]);
      const scope = `/subscriptions/${cloud.subscriptionId}/resourceGroups/shop`;
      const returns = cloud.topics.create({ name: "returns", resourceGroupName: "shop" });
      const write = (settings: string) =>
        writeFileSync(
          join(directory, "main.tf"),
          `${configuredProviders}resource "azurerm_user_assigned_identity" "letters" {
  name                = "letters"
  resource_group_name = "shop"
  location            = "westeurope"
}
module "orders" {
  source = "./module"
  role_effect_seconds = 0
${settings}}
output "environment" {
  value     = module.orders.environment
  sensitive = true
}
`,
        );
      const terraform = new Terraform({ directory, providers });
      write(`  included_event_types = ["shop.order.placed"]
  subject_filter       = { begins_with = "orders/" }
  advanced_filters = [
    { operator = "string_in", key = "data.system", strings = ["north", "south"] },
    { operator = "number_in_range", key = "data.total", ranges = [[1, 5]] },
    { operator = "bool_equals", key = "data.paid", boolean = true },
    { operator = "is_not_null", key = "data.id" },
  ]
  additional_scopes = {
    returns = {
      scope                   = "${returns.id}/"
      event_subscription_name = "returned"
      advanced_filters        = [{ operator = "string_contains", key = "subject", strings = ["box"] }]
    }
    group = { scope = "${scope}", subject_filter = { ends_with = ".json" } }
    again = { scope = "${topic.id}", event_subscription_name = "again", assigns_role = false }
  }
  max_events_per_batch       = 10
  max_delivery_attempts      = 5
  event_time_to_live_minutes = 60
  dead_letter = {
    storage_account_id = "${scope}/providers/Microsoft.Storage/storageAccounts/letters"
    container          = "dead"
    identity = {
      type                   = "UserAssigned"
      user_assigned_identity = azurerm_user_assigned_identity.letters.id
      principal_id           = azurerm_user_assigned_identity.letters.principal_id
    }
  }
  delivery_properties = [
    { header_name = "X-Shop", value = "north", secret = true },
    { header_name = "X-System", source_field = "data.system" },
  ]
  labels              = ["shop"]
  expiration_time_utc = "2030-01-01T00:00:00Z"
`);
      await terraform.init();
      await terraform.validate();
      await terraform.apply();
      expect(cloud.eventSubscriptions.get(topic.id, "ordersearlier")?.settings).toMatchObject({
        batching: { maxEventsPerBatch: 10 },
        deadLetter: { container: "dead" },
        labels: ["shop"],
        retryPolicy: { maxDeliveryAttempts: 5 },
      });
      expect(cloud.eventSubscriptions.get(returns.id, "returned")?.settings).toMatchObject({
        batching: { maxEventsPerBatch: 10 },
        filter: { advancedFilters: [{ key: "subject", operatorType: "StringContains" }] },
      });
      expect(cloud.eventSubscriptions.get(scope, "ordersearlier")?.settings.filter).toMatchObject({
        subjectEndsWith: ".json",
      });
      const writers = cloud.control.roleAssignments
        .list()
        .filter(({ description }) =>
          /writes event subscriptions at this scope$/i.test(description ?? ""),
        );
      expect(writers.map(({ scope: held }) => held).sort()).toEqual(
        [scope, topic.id, returns.id].sort(),
      );
      expect((await terraform.plan()).changes).toEqual([]);
      write("");
      const { outputs } = await terraform.apply();
      expect((await terraform.plan()).changes).toEqual([]);
      expect(cloud.eventSubscriptions.get(topic.id, "ordersearlier")?.settings).toMatchObject({
        batching: { maxEventsPerBatch: 1 },
        retryPolicy: { maxDeliveryAttempts: 30 },
      });
      expect(
        bindingFromEnvironment("ORDERS_EVENTS", {
          direction: "input",
          env: Object(outputs.environment),
        }),
      ).toMatchObject({
        handshakePort: "9000",
        path: "/api/events",
      });
      write(`  additional_scopes = {
    elsewhere = { scope = "/subscriptions/${clientId}" }
  }
`);
      await expect(terraform.plan()).rejects.toThrow(/Scopes must lie in the Azure subscription/);
      write("");
      await terraform.destroy();
      expect(cloud.eventSubscriptions.list()).toEqual([]);
    } finally {
      await stop();
    }
  });

  it("creates the application and the topic, whose own identity dead-letters", async () => {
    const { cloud, providers, stop } = await cloudWithWebhook([]);
    try {
      const directory = directoryWith({ "orders.yaml": document });
      await command(["synth", "orders.yaml", "--out", "module"], { directory });
      const scope = `/subscriptions/${cloud.subscriptionId}/resourceGroups/shop`;
      const account = `${scope}/providers/Microsoft.Storage/storageAccounts/letters`;
      const write = (topicSettings: string, settings: string) =>
        writeFileSync(
          join(directory, "main.tf"),
          `${configuredProviders}module "parcels" {
  source              = "./module"
  role_effect_seconds = 0
  application         = { display_name = "parcels webhook" }
  topic = {
    name                = "parcels"
    resource_group_name = "shop"
    location            = "westeurope"
${topicSettings}  }
${settings}}
output "endpoint" { value = module.parcels.topic_endpoint }
output "client_id" { value = module.parcels.client_id }
`,
        );
      const terraform = new Terraform({ directory, providers });
      write("", "");
      await terraform.init();
      await terraform.validate();
      const { outputs } = await terraform.apply();
      const parcels = cloud.topics.list().find(({ name }) => name === "parcels");
      expect(outputs.endpoint).toMatch(/\/parcels\.westeurope-1\/api\/events$/);
      expect((await terraform.plan()).changes).toEqual([]);
      const ofTopic = `    allowed_addresses = ["203.0.113.0/24"]
    identity          = { type = "SystemAssigned" }
`;
      const deadLetter = `  dead_letter = {
    storage_account_id = "${account}"
    container          = "dead"
    identity           = { type = "SystemAssigned" }
  }
`;
      write(
        ofTopic,
        `${deadLetter}  additional_scopes = { group = { scope = "${scope}" } }
`,
      );
      await expect(terraform.plan()).rejects.toThrow(
        /SystemAssigned identity belongs to one scope/,
      );
      write(ofTopic, deadLetter);
      await terraform.apply();
      expect((await terraform.plan()).changes).toEqual([]);
      expect(cloud.eventSubscriptions.list()).toMatchObject([
        {
          scope: parcels?.id,
          settings: { clientId: outputs.client_id, deadLetter: { container: "dead" } },
        },
      ]);
      expect(cloud.control.roleAssignments.list().map((held) => held.scope)).toContain(
        `${account}/blobServices/default/containers/dead`,
      );
      await terraform.destroy();
      expect(cloud.topics.list().map(({ name }) => name)).toEqual(["orders"]);
    } finally {
      await stop();
    }
  });

  it("waits for what serves the webhook and probes it, at first and when that changes", async () => {
    const { cloud, providers, port, stop } = await cloudWithWebhook([], true);
    try {
      const directory = directoryWith({ "orders.yaml": document });
      await command(["synth", "orders.yaml", "--out", "module"], { directory });
      const script = `await fetch("http://127.0.0.1:${port}/start")`;
      // Stands for the command line, which only reaches public webhooks.
      const probe = `import { writeFileSync } from "node:fs";
const { status } = await fetch("http://127.0.0.1:${port}/", { method: "OPTIONS" });
const [, , ...args] = process.argv;
const url = process.env.CLOUD_EVENTGRID_PROBE_URL;
writeFileSync("probed.json", JSON.stringify({ status, args, url }));
`;
      writeFileSync(join(directory, "probe.mjs"), probe);
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
  probe    = { command = ${JSON.stringify([process.execPath, "probe.mjs"])} }
}
`,
        );
      const terraform = new Terraform({ directory, providers });
      write("1");
      await terraform.init();
      await terraform.apply();
      expect(cloud.handshakes()).toMatchObject([{ succeeded: true }]);
      expect(JSON.parse(readFileSync(join(directory, "probed.json"), "utf8"))).toEqual({
        status: 200,
        args: ["probe", "--timeout", "300", "--url-env", "CLOUD_EVENTGRID_PROBE_URL"],
        url: "https://events.example.com/api/events",
      });
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
