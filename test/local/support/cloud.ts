import {
  LocalCloud,
  type LocalCloudOptions,
  type NewEventSubscription,
} from "cloud-eventgrid-local";
import { onTestFinished } from "vitest";
import { signIn } from "./management-client.js";
import { Webhook } from "./webhook.js";

/** A cloud that closes after the test. */
export async function startCloud(options: LocalCloudOptions = {}): Promise<LocalCloud> {
  const cloud = await LocalCloud.start(options);
  onTestFinished(() => cloud.close());
  return cloud;
}

/** A cloud with a control plane, and a function that calls it as the deployer. */
export async function startManaged(options: LocalCloudOptions = { control: true }) {
  const cloud = await startCloud(options);
  return { cloud, call: await signIn(cloud) };
}

/** A webhook that closes after the test. */
export async function startWebhook(): Promise<Webhook> {
  const webhook = await Webhook.start();
  onTestFinished(() => webhook[Symbol.asyncDispose]());
  return webhook;
}

export const PUBLIC_URL = "https://orders.example.com/api/events";

/** A cloud with a topic, a webhook behind the ingress, and a subscription between them. */
export async function startShop(
  options: LocalCloudOptions = {},
  subscription: Partial<NewEventSubscription> = {},
) {
  const webhook = await startWebhook();
  const cloud = await startCloud({
    clock: "stepped",
    ingress: { "https://orders.example.com": webhook.url },
    ...options,
  });
  const application = cloud.applications.create({ displayName: "orders webhook" });
  const topic = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
  await cloud.eventSubscriptions.create({
    name: "orders-sub",
    scope: topic.id,
    endpointUrl: PUBLIC_URL,
    clientId: application.clientId,
    ...subscription,
  });
  const publish = (event: Record<string, unknown> = {}) => publishTo(topic, event);
  return { cloud, webhook, topic, application, publish };
}

/** A CloudEvent with the required attributes by default. */
export function cloudEvent(attributes: Record<string, unknown> = {}) {
  return {
    specversion: "1.0",
    id: "1",
    source: "/shop",
    type: "shop.order.placed",
    ...attributes,
  };
}

/** Publishes one event with the topic's key, as any HTTP client would. */
export async function publishTo(
  topic: { endpoint: string; accessKey: string },
  event: Record<string, unknown> = {},
): Promise<Response> {
  return fetch(`${topic.endpoint}?api-version=2018-01-01`, {
    method: "POST",
    headers: { "aeg-sas-key": topic.accessKey, "content-type": "application/cloudevents+json" },
    body: JSON.stringify(cloudEvent(event)),
  });
}

/** Publishes events in one request, with the topic's key. */
export async function publishBatch(
  topic: { endpoint: string; accessKey: string },
  events: readonly object[],
): Promise<Response> {
  return fetch(topic.endpoint, {
    method: "POST",
    headers: {
      "aeg-sas-key": topic.accessKey,
      "content-type": "application/cloudevents-batch+json",
    },
    body: JSON.stringify(events),
  });
}
