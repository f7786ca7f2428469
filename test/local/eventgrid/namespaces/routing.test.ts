import type { NewEventSubscription } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { finished, signIn, textIn } from "../../support/management-client.js";
import { startNamespace } from "./start-namespace.js";

const STORAGE =
  "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/shop";

async function startRouting(settings: Partial<NewEventSubscription> = {}) {
  const started = await startNamespace({}, { control: { eventGridRegistered: true } });
  const { cloud, topic } = started;
  const source = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
  const subscribe = (changes: Partial<NewEventSubscription> = {}) =>
    cloud.eventSubscriptions.create({
      name: "to-namespace",
      scope: source.id,
      destination: { endpointType: "NamespaceTopic", properties: { resourceId: topic.id } },
      ...settings,
      ...changes,
    });
  return { ...started, source, subscribe };
}

describe("an event subscription to a topic of a namespace", () => {
  it("publishes the events of a system topic there, with an identity", async () => {
    const { cloud, receive, topic } = await startRouting();
    const call = await signIn(cloud);
    const systemTopic = `${STORAGE.split("/Microsoft")[0]}/Microsoft.EventGrid/systemTopics/files`;
    const created = await call("PUT", systemTopic, {
      location: "westeurope",
      identity: { type: "SystemAssigned" },
      properties: { source: STORAGE, topicType: "Microsoft.Storage.StorageAccounts" },
    });
    const destination = { endpointType: "NamespaceTopic", properties: { resourceId: topic.id } };
    const deliveryWithResourceIdentity = { identity: { type: "SystemAssigned" }, destination };
    const path = `${systemTopic}/eventSubscriptions/to-namespace`;
    const written = await call("PUT", path, {
      properties: { deliveryWithResourceIdentity, eventDeliverySchema: "CloudEventSchemaV1_0" },
    });
    expect(await finished(call, written)).toMatchObject({ status: "Succeeded" });
    const { body } = await call("GET", path);
    expect(Object(body).properties.deliveryWithResourceIdentity).toEqual(
      deliveryWithResourceIdentity,
    );
    const principalId = textIn(created.body, "identity", "principalId");
    cloud.control.assignRole("EventGrid Data Sender", principalId, topic.id);
    cloud.emit("Microsoft.Storage.BlobCreated", { scope: STORAGE });
    await cloud.drain();
    expect((await receive()).value).toMatchObject([
      { event: { source: STORAGE, type: "Microsoft.Storage.BlobCreated" } },
    ]);
  });

  it.each<[string, Partial<NewEventSubscription>]>([
    [
      "is invalid for a destination of the type NamespaceTopic",
      { destination: { endpointType: "NamespaceTopic", properties: { resourceId: STORAGE } } },
    ],
    [
      "orders-2' was not found. Create the topic",
      {
        destination: {
          endpointType: "NamespaceTopic",
          properties: {
            resourceId: `${STORAGE.split("/Microsoft")[0]}/Microsoft.EventGrid/namespaces/shop/topics/orders-2`,
          },
        },
      },
    ],
  ])("is refused: %s", async (message, settings) => {
    const { subscribe } = await startRouting();
    await expect(subscribe(settings)).rejects.toThrow(message);
  });
});
