import { describe, expect, it } from "vitest";
import { all, azureClients } from "../../support/azure-clients.js";
import { create, PUBLIC_URL, startHooked } from "../../support/cloud.js";
import { signIn } from "../../support/management-client.js";
import { confirmValidation } from "../../support/webhook.js";

async function start() {
  const { cloud, webhook } = await startHooked({
    control: { eventGridRegistered: true },
  });
  webhook.answer = confirmValidation;
  const clients = azureClients(cloud);
  await clients.resources.resourceGroups.createOrUpdate("shop", { location: "westeurope" });
  const topic = await clients.eventGrid.topics.beginCreateOrUpdateAndWait("shop", "orders", {
    location: "West Europe",
  });
  const scope = topic.id ?? "";
  const destination = {
    endpointType: "WebHook" as const,
    endpointUrl: `${PUBLIC_URL}?code=1`,
    deliveryAttributeMappings: [
      { type: "Static" as const, name: "x-key", value: "hush", isSecret: true },
      { type: "Dynamic" as const, name: "x-id", sourceField: "data.id" },
    ],
  };
  return { cloud, webhook, topic, scope, destination, ...clients };
}

it("topics of @azure/arm-eventgrid are created, updated, listed and deleted", async () => {
  const { eventGrid, topic, cloud } = await start();
  expect(topic).toMatchObject({
    location: "westeurope",
    inputSchema: "EventGridSchema",
    endpoint: `${cloud.control.origin}/orders.westeurope-1/api/events`,
    metricResourceId: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
    publicNetworkAccess: "Enabled",
  });
  await eventGrid.topics.beginUpdateAndWait("shop", "orders", { tags: { team: "shop" } });
  expect(await eventGrid.topics.get("shop", "orders")).toMatchObject({ tags: { team: "shop" } });
  expect(await all(eventGrid.topics.listBySubscription())).toHaveLength(1);
  expect(await all(eventGrid.topics.listByResourceGroup("shop"))).toHaveLength(1);
  await expect(all(eventGrid.topics.listByResourceGroup("other"))).rejects.toMatchObject({
    statusCode: 404,
    code: "ResourceGroupNotFound",
  });
  const keys = await eventGrid.topics.listSharedAccessKeys("shop", "orders");
  expect(keys).toEqual(cloud.topics.listKeys(topic.id ?? ""));
  const fresh = await eventGrid.topics.beginRegenerateKeyAndWait("shop", "orders", {
    keyName: "key1",
  });
  expect(fresh.key1).not.toBe(keys.key1);
  expect(fresh.key2).toBe(keys.key2);
  await eventGrid.topics.beginDeleteAndWait("shop", "orders");
  expect(await all(eventGrid.topics.listBySubscription())).toEqual([]);
});

describe("event subscriptions of @azure/arm-eventgrid", () => {
  it("are created at a scope that is encoded, updated by PATCH, listed and deleted", async () => {
    const { eventGrid, scope, destination } = await start();
    const { eventSubscriptions } = eventGrid;
    const created = await eventSubscriptions.beginCreateOrUpdateAndWait(scope, "orders-sub", {
      destination,
      filter: { subjectBeginsWith: "orders/" },
    });
    expect(created).toMatchObject({
      eventDeliverySchema: "EventGridSchema",
      provisioningState: "Succeeded",
    });
    await eventSubscriptions.beginUpdateAndWait(scope, "orders-sub", { labels: ["new"] });
    expect(await eventSubscriptions.get(scope, "orders-sub")).toMatchObject({
      labels: ["new"],
      filter: { subjectBeginsWith: "orders/" },
      destination: { endpointBaseUrl: PUBLIC_URL },
    });
    expect(await eventSubscriptions.getFullUrl(scope, "orders-sub")).toEqual({
      endpointUrl: `${PUBLIC_URL}?code=1`,
    });
    const { value } = await eventSubscriptions.getDeliveryAttributes(scope, "orders-sub");
    expect(value).toEqual([
      { type: "Static", name: "x-key", value: "Hidden", isSecret: true },
      { type: "Dynamic", name: "x-id", sourceField: "data.id" },
    ]);
    await eventSubscriptions.beginUpdateAndWait(scope, "orders-sub", {
      destination: { endpointType: "WebHook", endpointUrl: PUBLIC_URL },
    });
    expect(await eventSubscriptions.getDeliveryAttributes(scope, "orders-sub")).toEqual({
      value: null,
    });
    await eventSubscriptions.beginDeleteAndWait(scope, "orders-sub");
    await expect(eventSubscriptions.get(scope, "orders-sub")).rejects.toMatchObject({
      statusCode: 404,
    });
  });

  it("are the same through the path of their topic", async () => {
    const { eventGrid, scope, destination } = await start();
    const { topicEventSubscriptions: nested } = eventGrid;
    const created = await nested.beginCreateOrUpdateAndWait("shop", "orders", "orders-sub", {
      destination,
    });
    expect(created).toMatchObject({
      id: `${scope}/eventSubscriptions/orders-sub`,
      type: "Microsoft.EventGrid/topics/eventSubscriptions",
    });
    await nested.beginUpdateAndWait("shop", "orders", "orders-sub", { labels: ["new"] });
    expect(await all(nested.list("shop", "orders"))).toMatchObject([{ labels: ["new"] }]);
    expect(await nested.getFullUrl("shop", "orders", "orders-sub")).toMatchObject({
      endpointUrl: `${PUBLIC_URL}?code=1`,
    });
    expect(await eventGrid.eventSubscriptions.get(scope, "orders-sub")).toMatchObject({
      labels: ["new"],
    });
    await nested.beginDeleteAndWait("shop", "orders", "orders-sub");
  });

  it("are listed by location, topic type, resource group and resource", async () => {
    const { eventGrid, cloud, scope, destination } = await start();
    const { eventSubscriptions: subscriptions } = eventGrid;
    await subscriptions.beginCreateOrUpdateAndWait(scope, "orders-sub", { destination });
    const group = `/subscriptions/${cloud.subscriptionId}/resourceGroups/shop`;
    await subscriptions.beginCreateOrUpdateAndWait(group, "group-sub", {
      destination,
      eventDeliverySchema: "CloudEventSchemaV1_0",
    });
    const names = async (pages: AsyncIterable<{ name?: string }>) =>
      (await all(pages)).map(({ name }) => name);
    const topics = "Microsoft.EventGrid.Topics";
    expect(await names(subscriptions.listGlobalBySubscription())).toEqual(["group-sub"]);
    expect(await names(subscriptions.listGlobalByResourceGroup("shop"))).toEqual(["group-sub"]);
    expect(await names(subscriptions.listRegionalBySubscription("westeurope"))).toEqual([
      "orders-sub",
    ]);
    expect(await names(subscriptions.listRegionalBySubscription("eastus"))).toEqual([]);
    expect(await names(subscriptions.listRegionalByResourceGroup("shop", "westeurope"))).toEqual([
      "orders-sub",
    ]);
    expect(
      await names(subscriptions.listRegionalBySubscriptionForTopicType("westeurope", topics)),
    ).toEqual(["orders-sub"]);
    expect(
      await names(
        subscriptions.listGlobalBySubscriptionForTopicType("Microsoft.Resources.ResourceGroups"),
      ),
    ).toEqual(["group-sub"]);
    expect(
      await names(subscriptions.listByResource("shop", "Microsoft.EventGrid", "topics", "orders")),
    ).toEqual(["orders-sub"]);
  });

  it("are created and listed on system topics, with the source as their topic", async () => {
    const { eventGrid, cloud, destination } = await start();
    const source = `/subscriptions/${cloud.subscriptionId}/resourceGroups/shop/providers/Microsoft.Cache/Redis/cache`;
    const { systemTopics, systemTopicEventSubscriptions: nested } = eventGrid;
    await systemTopics.beginCreateOrUpdateAndWait("shop", "cache-topic", {
      location: "westeurope",
      source,
      topicType: "Microsoft.Cache.Redis",
    });
    await systemTopics.beginUpdateAndWait("shop", "cache-topic", { tags: { team: "shop" } });
    expect(await all(systemTopics.listBySubscription())).toMatchObject([
      { tags: { team: "shop" } },
    ]);
    expect(await all(systemTopics.listByResourceGroup("shop"))).toHaveLength(1);
    await nested.beginCreateOrUpdateAndWait("shop", "cache-topic", "cache-sub", { destination });
    expect(await all(nested.listBySystemTopic("shop", "cache-topic"))).toMatchObject([
      {
        id: expect.stringMatching(/\/systemTopics\/cache-topic\/eventSubscriptions\/cache-sub$/),
        name: "cache-sub",
        type: "Microsoft.EventGrid/systemTopics/eventSubscriptions",
        topic: expect.stringMatching(/\/systemTopics\/cache-topic$/),
        eventDeliverySchema: "EventGridSchema",
      },
    ]);
    expect(cloud.eventSubscriptions.list(source)).toHaveLength(1);
    await systemTopics.beginDeleteAndWait("shop", "cache-topic");
    expect(cloud.eventSubscriptions.list(source)).toEqual([]);
  });
});

describe("other operations of @azure/arm-eventgrid", () => {
  it("name the system topic for a resource's events", async () => {
    const { eventGrid, cloud } = await start();
    const source = `/subscriptions/${cloud.subscriptionId}/resourceGroups/shop/providers/Microsoft.Cache/Redis/cache`;
    await expect(eventGrid.extensionTopics.get(source)).rejects.toMatchObject({ statusCode: 404 });
    const { id } = await eventGrid.systemTopics.beginCreateOrUpdateAndWait("shop", "cache-topic", {
      location: "westeurope",
      source,
      topicType: "Microsoft.Cache.Redis",
    });
    expect(await eventGrid.extensionTopics.get(source)).toMatchObject({
      id: `${source}/providers/Microsoft.EventGrid/extensionTopics/default`,
      systemTopic: id,
    });
    const shouted = `${source}/providers/microsoft.eventgrid/EXTENSIONTOPICS/Default`;
    expect(await (await signIn(cloud))("GET", shouted)).toMatchObject({ status: 200 });
  });

  it("return the private links of a topic, which has no connections", async () => {
    const { eventGrid } = await start();
    const { privateEndpointConnections: connections, privateLinkResources: links } = eventGrid;
    expect(await links.get("shop", "topics", "orders", "topic")).toMatchObject({ name: "topic" });
    expect(await all(connections.listByResource("shop", "topics", "orders"))).toEqual([]);
    for (const request of [
      () => links.get("shop", "topics", "orders", "domain"),
      () => connections.get("shop", "topics", "orders", "none"),
      () => all(connections.listByResource("shop", "topics", "none")),
    ]) {
      await expect(request()).rejects.toMatchObject({ statusCode: 404, code: "ResourceNotFound" });
    }
    const update = connections.beginUpdate("shop", "topics", "orders", "none", {});
    await expect(update).rejects.toMatchObject({ statusCode: 400 });
    await expect(links.get("shop", "topics", "none", "topic")).rejects.toMatchObject({
      statusCode: 404,
      code: "ParentResourceNotFound",
    });
  });

  it("approve the connections of private endpoints, and keep them", async () => {
    const { cloud, eventGrid, scope } = await start();
    const { privateEndpointConnections: connections } = eventGrid;
    const network = scope.replace(/EventGrid.*/, "Network");
    const properties = {
      subnet: {
        id: `${network}/virtualNetworks/shop/subnets/endpoints`.replace("/shop/", "/net/"),
      },
      privateLinkServiceConnections: [
        { name: "orders", properties: { privateLinkServiceId: scope, groupIds: ["topic"] } },
      ],
    };
    const call = await signIn(cloud);
    const endpoint = `${network}/privateEndpoints/orders`;
    await call("PUT", endpoint, { location: "westeurope", properties });
    const [connection] = await all(connections.listByResource("shop", "topics", "orders"));
    const name = connection?.name ?? "";
    const write = (status: string) =>
      connections.beginUpdateAndWait("shop", "topics", "orders", name, {
        privateLinkServiceConnectionState: { status },
      });
    await write("Approved");
    await expect(write("Rejected")).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining("none can be 'Rejected'"),
    });
    await expect(
      connections.beginDeleteAndWait("shop", "topics", "orders", name),
    ).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining("Delete the private endpoint instead"),
    });
    await call("DELETE", endpoint);
    expect(await all(connections.listByResource("shop", "topics", "orders"))).toEqual([]);
  });

  it.each(["partnerTopics", "partnerNamespaces", "partnerConfigurations"] as const)(
    "answer 404 to the list of %s, which do not exist here",
    async (type) => {
      const { eventGrid } = await start();
      await expect(all(eventGrid[type].listByResourceGroup("shop"))).rejects.toMatchObject({
        statusCode: 404,
        code: "InvalidResourceType",
      });
    },
  );
});

it("topic types of @azure/arm-eventgrid are listed with their event types", async () => {
  const { eventGrid } = await start();
  const events = await all(eventGrid.topicTypes.listEventTypes("Microsoft.Cache.Redis"));
  expect(events.map(({ name }) => name)).toContain("Microsoft.Cache.PatchingCompleted");
  const ofTopic = eventGrid.topics.listEventTypes("shop", "Microsoft.Cache", "Redis", "cache");
  expect(await all(ofTopic)).toEqual(events);
});

it("domains of @azure/arm-eventgrid are created with topics, listed and deleted", async () => {
  const { cloud, eventGrid } = await start();
  const { domains, domainTopics } = eventGrid;
  const domain = await domains.beginCreateOrUpdateAndWait("shop", "shop-domain", {
    location: "westeurope",
  });
  expect(domain).toMatchObject({ provisioningState: "Succeeded", endpoint: expect.any(String) });
  await domainTopics.beginCreateOrUpdateAndWait("shop", "shop-domain", "orders");
  expect(await all(domainTopics.listByDomain("shop", "shop-domain"))).toMatchObject([
    { name: "orders" },
  ]);
  const { domainTopicEventSubscriptions } = eventGrid;
  const account = `/subscriptions/${cloud.subscriptionId}/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/shop`;
  await create(await signIn(cloud), account);
  const queue = {
    endpointType: "StorageQueue" as const,
    queueName: "queue",
    resourceId: account,
  };
  await domainTopicEventSubscriptions.beginCreateOrUpdateAndWait(
    ...(["shop", "shop-domain", "returns", "all"] as const),
    { destination: queue },
  );
  expect(await domainTopics.get("shop", "shop-domain", "returns")).toMatchObject({
    name: "returns",
    provisioningState: "Succeeded",
  });
  await domains.beginCreateOrUpdateAndWait("shop", "managed", {
    location: "westeurope",
    autoCreateTopicWithFirstSubscription: false,
  });
  await expect(
    domainTopicEventSubscriptions.beginCreateOrUpdateAndWait(
      ...(["shop", "managed", "returns", "all"] as const),
      { destination: queue },
    ),
  ).rejects.toMatchObject({ statusCode: 404 });
  await domains.beginDeleteAndWait("shop", "managed");
  expect(await domains.listSharedAccessKeys("shop", "shop-domain")).toMatchObject({
    key1: expect.any(String),
  });
  expect(await all(domains.listBySubscription())).toHaveLength(1);
  await domains.beginDeleteAndWait("shop", "shop-domain");
  expect(await all(domains.listByResourceGroup("shop"))).toEqual([]);
});
