import type { NewEventSubscription } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { SUBSCRIPTION, startCloud, startShop, startWebhook } from "../../support/cloud.js";

async function create(props: Partial<NewEventSubscription>) {
  const webhook = await startWebhook();
  const cloud = await startCloud({ ingress: { "https://hook.example.com": webhook.url } });
  const endpointUrl = "https://hook.example.com/";
  return cloud.eventSubscriptions.create({
    name: "sub",
    scope: `${SUBSCRIPTION}/resourceGroups/shop`,
    endpointUrl,
    ...props,
  });
}

describe("the scope of an event subscription", () => {
  it.each([
    ["a subscription", `${SUBSCRIPTION}/`, SUBSCRIPTION],
    [
      "a resource group",
      `${SUBSCRIPTION}/resourceGroups/shop`,
      `${SUBSCRIPTION}/resourceGroups/shop`,
    ],
    [
      "a resource, without the slash at its beginning",
      `${SUBSCRIPTION.slice(1)}/resourceGroups/shop/providers/Microsoft.Cache/Redis/c1/`,
      `${SUBSCRIPTION}/resourceGroups/shop/providers/Microsoft.Cache/Redis/c1`,
    ],
  ])("can be %s", async (_, scope, normalized) => {
    const subscription = await create({ scope });
    expect(subscription).toMatchObject({
      scope: normalized,
      id: `${normalized}/providers/Microsoft.EventGrid/eventSubscriptions/sub`,
      provisioningState: "Succeeded",
    });
  });

  it("can be an existing topic", async () => {
    const scope = `${SUBSCRIPTION}/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders`;
    await expect(create({ scope })).rejects.toMatchObject({ serviceCode: "ResourceNotFound" });
    const { cloud } = await startShop();
    expect(cloud.eventSubscriptions.get(scope.toUpperCase(), "ORDERS-SUB")?.scope).toBe(scope);
  });

  it.each([["/resourceGroups/shop"], [`${SUBSCRIPTION}/shop`], ["/"]])(
    "cannot be %s",
    async (scope) => {
      await expect(create({ scope })).rejects.toMatchObject({ serviceCode: "InvalidResourceId" });
    },
  );

  it("cannot be a system topic, which raises nothing itself", async () => {
    const scope = `${SUBSCRIPTION}/resourceGroups/shop/providers/Microsoft.EventGrid/systemTopics/files`;
    await expect(create({ scope })).rejects.toThrow("Use the resource that is its source.");
  });

  it.each([
    ["gets blobs that come and go by default", [], ["BlobCreated", "BlobDeleted"]],
    ["gets only the types that it names", ["BlobTierChanged"], ["BlobTierChanged"]],
  ])("is a storage account, and %s", async (_, named, expected) => {
    const types = (names: string[]) => names.map((name) => `Microsoft.Storage.${name}`);
    const { settings } = await create({
      scope: `${SUBSCRIPTION}/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/files`,
      filter: { includedEventTypes: types(named) },
    });
    expect(settings.filter.includedEventTypes).toEqual(types(expected));
  });

  it("must be in the cloud's subscription", async () => {
    const scope = "/subscriptions/99999999-9999-4999-8999-999999999999";
    await expect(create({ scope })).rejects.toMatchObject({
      status: 404,
      serviceCode: "SubscriptionNotFound",
    });
  });
});

describe("invalid settings of an event subscription", () => {
  it("are all reported, without the query of the URL", async () => {
    const error = await create({
      name: "a_b",
      endpointUrl: "http://hook.example.com/?code=s3cret",
      maxEventsPerBatch: 5001,
      deliveryAttributeMappings: [
        { type: "Static", name: "x y", properties: { value: "x" } },
        { type: "Dynamic", name: "x-none", properties: { sourceField: "" } },
      ],
    }).catch(String);
    expect(
      String(error)
        .replace("ServiceError: ", "")
        .split(/(?<=\.) (?![(])/),
    ).toEqual([
      "Event subscription name 'a_b' is invalid: it must have 3 to 64 letters, digits or hyphens.",
      "Invalid event subscription request: The endpoint URL is invalid as it should be specified and cannot be null or empty and should follow the proper https URL format (e.g., https://www.example.com).",
      "maxEventsPerBatch must be an integer from 1 to 5000, not 5001.",
      "The delivery property 'x y' is invalid: its name is not a valid header name.",
      "The delivery property 'x-none' is invalid: it has no source field.",
    ]);
  });
});

it("an existing event subscription is refused by create and updated by put", async () => {
  const { cloud, topic } = await startShop();
  const endpointUrl = "https://orders.example.com/again";
  const props = { name: "Orders-Sub", scope: topic.id, endpointUrl };
  await expect(cloud.eventSubscriptions.create(props)).rejects.toMatchObject({
    status: 409,
    serviceCode: "ResourceAlreadyExists",
  });
  await cloud.eventSubscriptions.put(props);
  expect(cloud.eventSubscriptions.list(topic.id)).toHaveLength(1);
});

it("deleting an event subscription drops undelivered events", async () => {
  const { cloud, webhook, topic, publish } = await startShop();
  webhook.answerDeliveries(() => 500);
  await publish();
  await cloud.clock.advance({ seconds: 1 });
  expect(cloud.eventSubscriptions.delete(topic.id, "ORDERS-SUB")).toBe(true);
  expect(cloud.eventSubscriptions.delete(topic.id, "orders-sub")).toBe(false);
  await publish();
  await cloud.drain();
  expect(webhook.deliveries).toHaveLength(1);
  expect(cloud.eventSubscriptions.list()).toEqual([]);
});

it("deleting a topic deletes its event subscriptions with it", async () => {
  const { cloud, topic } = await startShop();
  expect(cloud.topics.delete(topic.id)).toBe(true);
  expect(cloud.eventSubscriptions.list()).toEqual([]);
  expect(cloud.topics.delete(topic.id)).toBe(false);
});

it("changed settings apply to later deliveries", async () => {
  const { cloud, webhook, topic, publish } = await startShop();
  await cloud.eventSubscriptions.put({
    name: "orders-sub",
    scope: topic.id,
    endpointUrl: "https://orders.example.com/new",
    filter: { subjectEndsWith: "wanted" },
  });
  await publish({ subject: "unwanted!" });
  await publish({ subject: "wanted" });
  await cloud.drain();
  expect(webhook.deliveries).toMatchObject([{ path: "/new" }]);
  expect(webhook.deliveries[0]?.headers.authorization).toBeUndefined();
});
