import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { EventGridManagementClient } from "@azure/arm-eventgrid";
import { describe, expect, it, onTestFinished } from "vitest";
import { prepareProviders, Terraform } from "../../stand-ins/src/index.js";
import { describeWithTerraform, source } from "../../terraform/with-terraform.js";
import { all, azureClients } from "../support/azure-clients.js";
import { create, startManaged } from "../support/cloud.js";
import { emptyDirectory } from "../support/command.js";
import { refusal } from "../support/management-client.js";

const OTHER = "44444444-4444-4444-8444-444444444444";
const GROUP = `/subscriptions/${OTHER}/resourceGroups/events`;

async function start() {
  const started = await startManaged({
    control: { eventGridRegistered: true },
    otherSubscriptionIds: [OTHER.toUpperCase()],
  });
  return { ...started, clients: azureClients(started.cloud) };
}

describe("another Azure subscription", () => {
  it("has topics and event subscriptions of its own, for Microsoft's client", async () => {
    const { cloud, call, clients } = await start();
    await call("PUT", GROUP, { location: "westeurope" });
    const resourceId = `${GROUP}/providers/Microsoft.Storage/storageAccounts/files`;
    await create(call, resourceId);
    const { origin, certificates } = cloud.control;
    const tlsOptions = { ca: certificates.certificate };
    const eventGrid = new EventGridManagementClient(clients.credential, OTHER, {
      endpoint: origin,
      tlsOptions,
      credentialScopes: `${origin}/.default`,
    });
    const written = { location: "westeurope" };
    const topic = await eventGrid.topics.beginCreateOrUpdateAndWait("events", "orders", written);
    expect(topic.id).toBe(`${GROUP}/providers/Microsoft.EventGrid/topics/orders`);
    expect((await all(eventGrid.topics.listBySubscription())).length).toBe(1);
    expect(await all(clients.eventGrid.topics.listBySubscription())).toEqual([]);
    await eventGrid.eventSubscriptions.beginCreateOrUpdateAndWait(topic.id ?? "", "all", {
      destination: {
        endpointType: "StorageQueue",
        resourceId,
        queueName: "orders",
      },
    });
    expect(cloud.eventSubscriptions.list().map(({ scope }) => scope)).toEqual([topic.id]);
  });

  it("is listed, and one that is not there is refused", async () => {
    const { cloud, call } = await start();
    const { body } = await call("GET", "/subscriptions");
    const named = (subscriptionId: string, displayName: string) => ({
      subscriptionId,
      displayName,
    });
    expect(body).toMatchObject({
      value: [
        named(cloud.subscriptionId, "Local subscription"),
        named(OTHER, "Local subscription 2"),
      ],
    });
    expect(await call("GET", `${GROUP.replace(/4/g, "5")}`)).toMatchObject(
      refusal(404, "SubscriptionNotFound"),
    );
  });

  it("has topics from code, which survive a restart", async () => {
    const persist = emptyDirectory();
    const options = { control: true, otherSubscriptionIds: [OTHER], persist };
    const first = await startManaged(options);
    const { id } = first.cloud.topics.create({ name: "orders", subscriptionId: OTHER });
    await first.cloud.close();
    const { cloud } = await startManaged(options);
    expect(cloud.topics.get(id)?.id).toContain(OTHER);
    expect(() => cloud.topics.create({ name: "a-b", subscriptionId: cloud.tenantId })).toThrow(
      "could not be found",
    );
  });
});

describeWithTerraform("a second provider", () => {
  it("creates a topic in its subscription, beside the group of the first provider", async () => {
    const { cloud } = await start();
    const providers = await prepareProviders(source, cloud.terraformEnvironment());
    onTestFinished(() => providers.stop());
    const directory = emptyDirectory();
    writeFileSync(join(directory, "main.tf"), MAIN);
    const terraform = new Terraform({ directory, providers });
    await terraform.init();
    await terraform.apply();
    expect(cloud.topics.list().map(({ id }) => id)).toEqual([
      `${GROUP}/providers/Microsoft.EventGrid/topics/orders`,
    ]);
    expect((await terraform.plan()).changes).toEqual([]);
    await terraform.destroy();
    expect(cloud.topics.list()).toEqual([]);
  });
});

const MAIN = `
terraform {
  required_providers {
    azurerm = { source = "hashicorp/azurerm" }
  }
}
provider "azurerm" {
  features {}
}
provider "azurerm" {
  alias           = "events"
  subscription_id = "${OTHER}"
  features {}
}
resource "azurerm_resource_group" "events" {
  provider = azurerm.events
  name     = "events"
  location = "westeurope"
}
resource "azurerm_resource_group" "shop" {
  name     = "shop"
  location = "westeurope"
}
resource "azurerm_eventgrid_topic" "orders" {
  provider            = azurerm.events
  name                = "orders"
  resource_group_name = azurerm_resource_group.events.name
  location            = azurerm_resource_group.events.location
}
`;
