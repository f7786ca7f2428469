import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { StorageContainer } from "@cdktf/provider-azurerm/lib/storage-container/index.js";
import { CloudEventGridBinding, WebhookApplication, where } from "cloud-eventgrid-binding";
import { afterEach, beforeEach, expect, it } from "vitest";
import { later, ORIGIN, Scenario } from "./scenario.js";
import type { ShopStack } from "./synthesize.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
beforeEach(async () => {
  shop = await Scenario.start();
});
afterEach(() => shop.stop());

const names = () =>
  shop.cloud.eventSubscriptions
    .list()
    .map(({ name }) => name)
    .sort();

describeWithTerraform("several bindings in one stack", () => {
  it("can have their own applications, and be destroyed separately", async () => {
    const build = (...ids: string[]) =>
      shop.write((stack) => {
        for (const id of ids) {
          new CloudEventGridBinding(stack, id, {
            ...shop.place,
            application: new WebhookApplication(stack, `${id}-webhook`, { displayName: id }),
            eventSubscriptionName: id,
            scope: shop.subscription,
          });
        }
      });
    await build("orders", "invoices");
    await shop.applyCleanly();
    await build("orders");
    const deletions = await shop.apply();
    expect(deletions.every((each) => each.startsWith("delete "))).toBe(true);
    expect(names()).toEqual(["orders"]);
    expect(await shop.plan()).toEqual([]);
    await shop.destroyAll();
  });
});

describeWithTerraform("values that are known only at apply", () => {
  it("can be used in every prop that allows tokens", async () => {
    await shop.write((stack) => {
      const group = new ResourceGroup(stack, "group", { name: "shop", location: "westeurope" });
      shop.binding(stack, {
        subscriberEndpoint: later(stack, "endpoint", `${ORIGIN}/api/events`),
        handshakePort: later(stack, "port", "9000"),
        eventSubscriptionName: later(stack, "name", "orders"),
        scope: group.id,
      });
    });
    await shop.apply();
    expect(names()).toEqual(["orders"]);
    expect(await shop.plan()).toEqual([]);
    await shop.destroyAll();
  });
});

describeWithTerraform("all settings of an event subscription", () => {
  it("reach Azure, have an empty plan, and can be removed again", async () => {
    const settings = (stack: ShopStack, resourceGroupName: string) => {
      const account = new StorageAccount(stack, "letters", {
        name: "letters",
        resourceGroupName,
        location: "westeurope",
        accountTier: "Standard",
        accountReplicationType: "LRS",
      });
      return {
        includedEventTypes: ["shop.order.placed"],
        subjectFilter: { beginsWith: "orders/", endsWith: "/new", caseSensitive: true },
        advancedFilters: [
          where("data.total").numberGreaterThan(10),
          where("data.country").stringIn("de", "fr"),
          where("data.gift").boolEquals(true),
          where("data.note").isNotNull(),
        ],
        retryPolicy: { maxDeliveryAttempts: 5, eventTimeToLiveMinutes: 60 },
        batching: { maxEventsPerBatch: 10, preferredBatchSizeInKilobytes: 256 },
        deliveryProperties: [
          { headerName: "x-shop", value: "42" },
          { headerName: "x-key", value: "hidden", secret: true },
          { headerName: "x-order", sourceField: "data.orderId" },
        ],
        deadLetter: {
          storageAccount: account,
          container: new StorageContainer(stack, "dead", {
            name: "dead",
            storageAccountId: account.id,
          }),
        },
        labels: ["shop", "orders"],
      };
    };
    const build = (full: boolean) =>
      shop.write((stack) => {
        const topic = shop.topic(stack);
        shop.binding(stack, {
          scope: topic.id,
          ...(full && settings(stack, topic.resource.resourceGroupName)),
        });
      });
    await build(true);
    await shop.applyCleanly();
    const reached = () => shop.cloud.eventSubscriptions.list()[0]?.settings;
    expect(reached()).toMatchObject({
      retryPolicy: { maxDeliveryAttempts: 5, eventTimeToLiveInMinutes: 60 },
      batching: { maxEventsPerBatch: 10, preferredBatchSizeInKilobytes: 256 },
      labels: ["shop", "orders"],
      deadLetter: { properties: { blobContainerName: "dead" } },
      filter: {
        includedEventTypes: ["shop.order.placed"],
        subjectBeginsWith: "orders/",
        subjectEndsWith: "/new",
        isSubjectCaseSensitive: true,
        enableAdvancedFilteringOnArrays: true,
      },
    });

    await build(false);
    await shop.applyCleanly();
    expect(reached()).toMatchObject({
      retryPolicy: { maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 1440 },
      batching: { maxEventsPerBatch: 1, preferredBatchSizeInKilobytes: 64 },
    });
    const { filter, labels = [], deadLetter, deliveryProperties = [] } = reached() ?? {};
    expect([filter?.includedEventTypes ?? [], filter?.advancedFilters ?? []]).toEqual([[], []]);
    expect([filter?.subjectBeginsWith ?? "", filter?.subjectEndsWith ?? ""]).toEqual(["", ""]);
    expect([labels, deadLetter, deliveryProperties]).toEqual([[], undefined, []]);
    await shop.destroyAll();
  });
});

describeWithTerraform("a changed scope", () => {
  it("replaces the event subscription, with its own rights and handshake", async () => {
    const build = (scopeOf: (stack: ShopStack, group: ResourceGroup) => string) =>
      shop.write((stack) => {
        const group = new ResourceGroup(stack, "group", { name: "shop", location: "westeurope" });
        shop.binding(stack, {
          scope: scopeOf(stack, group),
        });
      });
    const { subscription } = shop;
    await build(() => subscription);
    await shop.apply();
    await build((_stack, group) => group.id);
    const changes = await shop.apply();
    expect(changes).toContain("replace azurerm_eventgrid_event_subscription");
    expect(shop.cloud.eventSubscriptions.list()).toMatchObject([
      { name: "orders", scope: `${subscription}/resourceGroups/shop` },
    ]);
    expect(shop.handshakes).toHaveLength(2);
    expect(await shop.plan()).toEqual([]);
    await shop.destroyAll();
  });
});

describeWithTerraform("a topic and its publishers", () => {
  it("accepts only Entra tokens of publishers with the role if local authentication is off", async () => {
    const publisher = shop.cloud.applications.create({ displayName: "publisher", secret: "s" });
    const build = (localAuthEnabled: boolean) =>
      shop.write((stack) => {
        const topic = shop.topic(stack, {
          localAuthEnabled,
          tags: { team: "shop" },
        });
        topic.grantPublish(publisher.servicePrincipal.objectId);
        new CloudEventGridBinding(stack, "orders", {
          direction: "output",
          topicEndpoint: topic.endpoint,
          publishWith: "entra",
        });
      });
    await build(false);
    await shop.applyCleanly();
    const [topic] = shop.cloud.topics.list();
    expect(topic?.localAuthEnabled).toBe(false);
    const { objectId } = publisher.servicePrincipal;
    expect(shop.cloud.control.maySend(objectId, topic?.id ?? "")).toBe(true);

    await build(true);
    expect(await shop.apply()).toEqual(["update azurerm_eventgrid_topic"]);
    expect(shop.cloud.topics.list()[0]?.localAuthEnabled).toBe(true);
    expect(await shop.plan()).toEqual([]);
    await shop.destroyAll();
  });
});
