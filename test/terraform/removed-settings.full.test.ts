import { EventgridTopic } from "@cdktf/provider-azurerm/lib/eventgrid-topic/index.js";
import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { TerraformVariable } from "cdktf";
import { systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createNetwork, networkId } from "./network.js";
import { Scenario } from "./scenario.js";
import { createAccount } from "./storage.js";
import type { ShopStack } from "./synthesize.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
let cloudClientId: string;
beforeEach(async () => {
  shop = await Scenario.start();
  cloudClientId = shop.newApplication();
});
afterEach(() => shop.stop());

const topicOf = (stack: ShopStack) => {
  const group = new ResourceGroup(stack, "group", { name: "shop", location: "westeurope" });
  return new EventgridTopic(stack, "topic", {
    name: "orders",
    resourceGroupName: group.name,
    location: group.location,
    inputSchema: "CloudEventSchemaV1_0",
  });
};

const idOf = (type: string) => `${shop.group}/providers/${type}/orders`;

const variable = (stack: ShopStack, id: string) =>
  new TerraformVariable(stack, "scope", { type: "string", default: id }).stringValue;

/** Applies a binding with these settings, which must leave nothing to do for a second apply. */
async function apply(scopeOf: (stack: ShopStack) => string, settings: object): Promise<void> {
  await shop.write((stack) => {
    shop.binding(stack, {
      cloudClientId,
      scope: scopeOf(stack),
      ...settings,
    });
  });
  await shop.applyCleanly();
}

const settings = () => shop.cloud.eventSubscriptions.list()[0]?.settings;
const both = {
  includedEventTypes: ["shop.order.placed"],
  retryPolicy: { maxDeliveryAttempts: 5, eventTimeToLiveMinutes: 60 },
};
const defaultPolicy = { maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 1440 };

describeWithTerraform("event types and a retry policy that are removed from the props", () => {
  it("are removed if the topic's ID is a variable", async () => {
    const scopeOf = (stack: ShopStack) => {
      topicOf(stack);
      return variable(stack, idOf("Microsoft.EventGrid/topics"));
    };
    await apply((stack) => topicOf(stack).id, { ...both, subscribed: false });
    await apply(scopeOf, both);
    await apply(scopeOf, { includedEventTypes: [] });
    expect(settings()?.filter?.includedEventTypes ?? []).toEqual([]);
    expect(settings()?.retryPolicy).toMatchObject(defaultPolicy);
  });

  it.each([
    ["a literal", (_: ShopStack, id: string) => id],
    ["a variable", variable],
  ])("are replaced by all types of a storage account whose ID is %s", async (_, scopeOf) => {
    const id = await createAccount(shop.cloud, "orders", "incoming");
    const at = (stack: ShopStack) => scopeOf(stack, id);
    await apply(at, { ...both, includedEventTypes: ["Microsoft.Storage.BlobCreated"] });
    await apply(at, { events: { types: [] } });
    expect(settings()?.filter?.includedEventTypes).toEqual(systemEventTypes.objectStorage);
    expect(settings()?.retryPolicy).toMatchObject(defaultPolicy);
  });

  it("are replaced by all types of Resource Manager at a resource group", async () => {
    const scopeOf = (stack: ShopStack) =>
      new ResourceGroup(stack, "group", { name: "shop", location: "westeurope" }).id;
    await apply(scopeOf, {
      ...both,
      includedEventTypes: ["Microsoft.Resources.ResourceWriteSuccess"],
    });
    await apply(scopeOf, {});
    expect(settings()?.filter?.includedEventTypes).toHaveLength(9);
  });
});

describeWithTerraform("all event types of a variable scope", () => {
  it("are those that the props name, if the kind of the resource is not known", async () => {
    await createNetwork(shop.cloud);
    const at = (stack: ShopStack) => variable(stack, networkId(shop.cloud));
    await apply(at, { includedEventTypes: ["Microsoft.Example.WidgetMade"] });
    expect(settings()?.filter?.includedEventTypes).toEqual(["Microsoft.Example.WidgetMade"]);
    await expect(apply(at, {})).rejects.toThrow("Set includedEventTypes to name those to deliver");
  });
});

describeWithTerraform("an adopted event subscription", () => {
  it("loses the event types and the retry policy that the props do not have", async () => {
    await apply((stack) => topicOf(stack).id, both);
    for (const { address, type } of await shop.terraform.state()) {
      if (type === "azurerm_eventgrid_event_subscription") await shop.terraform.forget(address);
    }
    await apply((stack) => topicOf(stack).id, { existingSubscription: "adopt" });
    expect(settings()?.filter?.includedEventTypes ?? []).toEqual([]);
    expect(settings()?.retryPolicy).toMatchObject(defaultPolicy);
  });
});
