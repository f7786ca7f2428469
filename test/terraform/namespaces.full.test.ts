import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { StorageContainer } from "@cdktf/provider-azurerm/lib/storage-container/index.js";
import { UserAssignedIdentity } from "@cdktf/provider-azurerm/lib/user-assigned-identity/index.js";
import { TerraformVariable } from "cdktf";
import {
  CloudEventGridNamespace,
  CloudEventGridPullBinding,
  sources,
  where,
} from "cloud-eventgrid-binding";
import { afterAll, beforeAll, expect, it } from "vitest";
import { signIn } from "../local/support/management-client.js";
import { Scenario } from "./scenario.js";
import type { ShopStack } from "./synthesize.js";
import { describeWithTerraform } from "./with-terraform.js";

/** What differs between the applies of one stack. */
interface Settings {
  readonly namespace?: object;
  readonly topic?: { readonly eventRetentionDays: number };
  readonly binding?: object;
  readonly deadLetters?: boolean;
  readonly uploads?: { readonly subjectFilter?: object };
}

const pull = {
  events: { types: ["shop.order.placed"] },
  filters: [where("subject").stringBeginsWith("orders/")],
  receiveLockSeconds: 90,
  maxDeliveryCount: 3,
  eventTimeToLiveMinutes: 90,
};

const everySetting: Settings = {
  namespace: {
    capacity: 2,
    publicNetworkAccess: false,
    allowedAddresses: ["203.0.113.0/24", "198.51.100.0/24"],
    tags: { team: "shop" },
  },
  topic: { eventRetentionDays: 3 },
  binding: pull,
  deadLetters: true,
  uploads: { subjectFilter: { endsWith: ".jpg" } },
};

const DEAD_LETTERS =
  "properties.deliveryConfiguration.queue.deadLetterDestinationWithResourceIdentity";

describeWithTerraform("a namespace with a topic, a pull binding and a source", () => {
  let shop: Scenario;
  beforeAll(async () => {
    shop = await Scenario.start();
  });
  afterAll(() => shop.stop());

  function build(stack: ShopStack, settings: Settings): void {
    const group = new ResourceGroup(stack, "group", { name: "shop", location: "westeurope" });
    const place = { resourceGroupName: group.name, location: group.location };
    const account = new StorageAccount(stack, "account", {
      ...place,
      name: "shopfiles",
      accountTier: "Standard",
      accountReplicationType: "LRS",
    });
    const container = new StorageContainer(stack, "dead", {
      name: "dead",
      storageAccountId: account.id,
    });
    const service = new UserAssignedIdentity(stack, "service", { ...place, name: "service" });
    const namespace = new CloudEventGridNamespace(stack, "events", {
      ...place,
      namespaceName: "shop-events",
      ...settings.namespace,
    });
    const topic = namespace.addTopic("orders", settings.topic);
    topic.grantPublish(service.principalId);
    new CloudEventGridPullBinding(stack, "orders", {
      topic,
      eventSubscriptionName: "shop",
      receiver: service.principalId,
      roleEffectSeconds: 0,
      ...(settings.deadLetters && { deadLetter: { storageAccount: account, container } }),
      ...settings.binding,
    });
    topic.addSource("uploads", {
      ...sources.objectStorage(account, { container: "inbox" }),
      location: account.location,
      eventSubscriptionName: "uploads",
      roleEffectSeconds: 0,
      ...settings.uploads,
    });
  }

  const providers = () => `${shop.group}/providers`;
  const idOf = (path: string) => `${providers()}/Microsoft.EventGrid/${path}`;

  /** A resource of Event Grid, as Resource Manager returns it. */
  async function get(path: string): Promise<unknown> {
    const call = await signIn(shop.cloud);
    return (await call("GET", idOf(path))).body;
  }

  const queue = (settings: object, filters: object, rest: object = {}) => ({
    properties: {
      deliveryConfiguration: { deliveryMode: "Queue", queue: settings },
      filtersConfiguration: filters,
      ...rest,
    },
  });
  const namespace = "namespaces/shop-events";
  const subscription = `${namespace}/topics/orders/eventSubscriptions/shop`;

  it("has every setting after the apply, and a second plan is empty", async () => {
    await shop.write((stack) => build(stack, everySetting));
    await shop.applyCleanly();
    expect(await get(namespace)).toMatchObject({
      sku: { capacity: 2 },
      tags: { team: "shop" },
      properties: {
        publicNetworkAccess: "Disabled",
        inboundIpRules: [{ ipMask: "203.0.113.0/24" }, { ipMask: "198.51.100.0/24" }],
      },
    });
    expect(await get(`${namespace}/topics/orders`)).toMatchObject({
      properties: { eventRetentionInDays: 3 },
    });
    expect(await get(subscription)).toMatchObject(
      queue(
        {
          receiveLockDurationInSeconds: 90,
          maxDeliveryCount: 3,
          eventTimeToLive: "PT1H30M",
          deadLetterDestinationWithResourceIdentity: {
            identity: { type: "SystemAssigned" },
            deadLetterDestination: { properties: { blobContainerName: "dead" } },
          },
        },
        {
          includedEventTypes: ["shop.order.placed"],
          filters: [{ operatorType: "StringBeginsWith", key: "subject", values: ["orders/"] }],
        },
        { expirationTimeUtc: null },
      ),
    );
  });

  /** The provider ignores fields that are left out, unless another field changes. */
  it("loses settings that are removed on their own", async () => {
    const { maxDeliveryCount: _count, ...binding } = pull;
    await shop.write((stack) => build(stack, { ...everySetting, binding, deadLetters: false }));
    expect(await shop.apply()).toEqual(["delete azurerm_role_assignment", "update azapi_resource"]);
    const read = await get(subscription);
    expect(read).toMatchObject(queue({ maxDeliveryCount: 10 }, {}, { expirationTimeUtc: null }));
    expect(read).not.toHaveProperty(DEAD_LETTERS);
  });

  it("has the defaults when all settings are removed", async () => {
    await shop.write((stack) => build(stack, {}));
    // The system topic of the source has the namespace's tags.
    expect(await shop.apply()).toEqual(Array(5).fill("update azapi_resource"));
    expect(await shop.plan()).toEqual([]);
    expect(await get(namespace)).toMatchObject({
      sku: { capacity: 1 },
      properties: { publicNetworkAccess: "Enabled", inboundIpRules: [] },
    });
    const read = await get(subscription);
    expect(read).toMatchObject(
      queue(
        { receiveLockDurationInSeconds: 60, maxDeliveryCount: 10, eventTimeToLive: "P7D" },
        { includedEventTypes: null, filters: [] },
        { expirationTimeUtc: null },
      ),
    );
    expect(read).not.toHaveProperty(DEAD_LETTERS);
  });

  it("keeps events for as many days as a variable says", async () => {
    await shop.write((stack) => {
      const days = new TerraformVariable(stack, "days", { type: "number", default: 7 });
      build(stack, { topic: { eventRetentionDays: days.numberValue } });
    });
    expect(await shop.plan()).toEqual([]);
  });

  it("receives the events of the source", async () => {
    const account = `${providers()}/Microsoft.Storage/storageAccounts/shopfiles`;
    const blob = { scope: account, subject: "/blobServices/default/containers/inbox/blobs/a.jpg" };
    await shop.cloud.emit("Microsoft.Storage.BlobCreated", blob);
    const { topics } = shop.cloud.namespaces.get(idOf(namespace)) ?? {};
    const queue = topics?.get("orders")?.subscriptions.get("shop");
    const [received] = (await queue?.receive({ maxWaitMs: 10_000 })) ?? [];
    expect(received?.event).toMatchObject({
      type: "Microsoft.Storage.BlobCreated",
      source: account,
    });
  });

  it("gets back a setting that was changed by hand", async () => {
    const call = await signIn(shop.cloud);
    const properties = { eventRetentionInDays: 1 };
    await call("PUT", idOf(`${namespace}/topics/orders`), { properties });
    expect(await shop.apply()).toEqual(["update azapi_resource"]);
    expect(await get(`${namespace}/topics/orders`)).toMatchObject({
      properties: { eventRetentionInDays: 7 },
    });
  });

  it("leaves nothing behind when it is destroyed", async () => {
    await shop.destroyAll();
    expect(await get(namespace)).toMatchObject({ error: { code: "ResourceGroupNotFound" } });
    expect(shop.cloud.control.roleAssignments.list()).toHaveLength(1);
    expect(shop.cloud.eventSubscriptions.list()).toEqual([]);
  });
});
