import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LocalCloud } from "cloud-eventgrid-local";
import { expect, it } from "vitest";
import { signIn } from "../../local/support/management-client.js";
import { prepareProviders, Terraform } from "../../stand-ins/src/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { describeWithTerraform, source } from "../../terraform/with-terraform.js";
import { effects } from "./world.js";

/**
 * The group of the Service Bus, which Terraform does not create. The stand-ins do not create a Service
 * Bus in Resource Manager, which asks only for those of groups that it has.
 */
const ELSEWHERE = "elsewhere";

const PROVIDERS = `terraform {
  required_providers {
    azurerm = { source = "hashicorp/azurerm" }
    azapi   = { source = "Azure/azapi" }
  }
}
`;
const PLACE = `resource_group_name = azurerm_resource_group.shop.name
  location            = "westeurope"`;

/**
 * Two shops, made by `for_each`: each has an account for the dead letters of its event subscription. A
 * module has the Service Bus that they deliver to, with an identity.
 */
const ROOT = `${PROVIDERS}
provider "azurerm" {
  features {}
  resource_provider_registrations = "none"
  resource_providers_to_register  = ["Microsoft.EventGrid"]
}
module "bus" {
  source = "./bus"
  group  = "${ELSEWHERE}"
}
resource "azurerm_resource_group" "shop" {
  name     = "shop"
  location = "westeurope"
}
resource "azurerm_user_assigned_identity" "sender" {
  name = "sender"
  ${PLACE}
}
resource "azurerm_eventgrid_topic" "shop" {
  name         = "shop"
  input_schema = "CloudEventSchemaV1_0"
  ${PLACE}
}
resource "azurerm_storage_account" "letters" {
  for_each                 = toset(["eu", "us"])
  name                     = "letters\${each.key}"
  account_tier             = "Standard"
  account_replication_type = "LRS"
  shared_access_key_enabled = true
  ${PLACE}
}
resource "azurerm_storage_container" "dead" {
  for_each           = toset(["eu", "us"])
  name               = "dead"
  storage_account_id = azurerm_storage_account.letters[each.key].id
}
resource "azurerm_role_assignment" "sender" {
  scope                = azurerm_eventgrid_topic.shop.id
  role_definition_name = "EventGrid Data Sender"
  principal_id         = azurerm_user_assigned_identity.sender.principal_id
  principal_type       = "ServicePrincipal"
}
resource "azapi_resource" "work" {
  for_each  = toset(["eu", "us"])
  type      = "Microsoft.EventGrid/eventSubscriptions@2025-02-15"
  name      = "work-\${each.key}"
  parent_id = azurerm_eventgrid_topic.shop.id
  body = {
    properties = {
      eventDeliverySchema = "CloudEventSchemaV1_0"
      filter              = { includedEventTypes = ["shop.order.placed"] }
      destination = {
        endpointType = "ServiceBusQueue"
        properties   = { resourceId = module.bus.queue_id }
      }
      deadLetterDestination = {
        endpointType = "StorageBlob"
        properties = {
          resourceId        = azurerm_storage_account.letters[each.key].id
          blobContainerName = azurerm_storage_container.dead[each.key].name
        }
      }
    }
  }
}
`;

const BUS = `${PROVIDERS}
variable "group" {}
output "queue_id" { value = azurerm_servicebus_queue.orders.id }
resource "azurerm_servicebus_namespace" "bus" {
  name                = "bus"
  resource_group_name = var.group
  location            = "westeurope"
  sku                 = "Premium"
  local_auth_enabled  = true
}
resource "azurerm_servicebus_queue" "orders" {
  name         = "orders"
  namespace_id = azurerm_servicebus_namespace.bus.id
}
`;

describeWithTerraform("explain-plan of real plans", () => {
  it("follows IDs and references through modules and for_each", async () => {
    await using cloud = await LocalCloud.start({ control: true });
    const providers = await prepareProviders(source, cloud.terraformEnvironment());
    const directory = temporaryFolder();
    mkdirSync(join(directory, "bus"));
    const write = (change = (text: string) => text) => {
      writeFileSync(join(directory, "main.tf"), change(ROOT));
      writeFileSync(join(directory, "bus/main.tf"), change(BUS));
    };
    await using _ = { [Symbol.asyncDispose]: async () => providers.stop() };
    if (source !== "stand-ins") {
      const call = await signIn(cloud);
      const group = `/subscriptions/${cloud.subscriptionId}/resourceGroups/${ELSEWHERE}`;
      await call("PUT", group, { location: "westeurope" });
    }
    write();
    const program = new Terraform({ directory, providers });
    await program.init();
    await program.apply();

    const planned = async (change?: (text: string) => string) => {
      write(change);
      return (await effects(await program.planJson())).map((text) => text.replace(/: .*/, ""));
    };
    /** Replaces a setting, or adds settings after it. */
    const set = (old: string, next: string) => planned((text) => text.replace(old, next));
    expect(await planned()).toEqual([]);
    const both = (verdict: string) =>
      ["eu", "us"].map((shop) => `${verdict} azurerm_storage_account.letters["${shop}"]`);
    const keys = "shared_access_key_enabled = true";
    const rules = (action: string) =>
      `${keys}\n network_rules {\n default_action = "${action}"\n bypass = ["None"]\n }`;
    expect(await set(keys, rules("Deny"))).toEqual(both("lost dead-letters"));
    expect(await set(keys, rules("Allow"))).toEqual([]);
    expect(await set(keys, "shared_access_key_enabled = false")).toEqual(both("lost dead-letters"));
    expect(await set(keys, `${keys}\n access_tier = "Cool"\n tags = { a = "b" }`)).toEqual([]);
    expect(await set('"letters$', '"other$')).toEqual([
      ...["eu", "us"].map((shop) => `lost dead-letters azapi_resource.work["${shop}"]`),
      ...both("unknown dead-letters"),
    ]);
    const bus = "lost destination module.bus.azurerm_servicebus";
    const name = '= "orders"';
    expect(await set(name, `${name}\n status = "Disabled"`)).toEqual([`${bus}_queue.orders`]);
    const local = "local_auth_enabled  =";
    expect(await set(`${local} true`, `${local} false`)).toEqual([`${bus}_namespace.bus`]);
    expect(await set("EventGrid Data Sender", "EventGrid Data Receiver")).toEqual([
      "unknown role azurerm_role_assignment.sender",
    ]);
    // What only one of two has goes with it, and the other keeps its own.
    expect(await planned((text) => text.replaceAll('["eu", "us"]', '["eu"]'))).toEqual([
      'unknown types azapi_resource.work["us"]',
      'unknown destroyed azapi_resource.work["us"]',
    ]);
  });
});
