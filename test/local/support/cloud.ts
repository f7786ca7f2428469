import {
  LocalCloud,
  type LocalCloudOptions,
  type NewEventSubscription,
} from "cloud-eventgrid-local";
import { onTestFinished } from "vitest";
import { type Call, signIn } from "./management-client.js";
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

export const SUBSCRIPTION = "/subscriptions/22222222-2222-4222-8222-222222222222";
export const GROUP = `${SUBSCRIPTION}/resourceGroups/shop`;

/** A managed cloud with a registered Event Grid and the resource group {@link GROUP}. */
export async function startGroup(tags: object = {}) {
  const { cloud, call } = await startManaged({ control: { eventGridRegistered: true } });
  await call("PUT", GROUP, { location: "westeurope", tags });
  return { cloud, call };
}

/** Creates a resource of another service, and those that contain it. */
export async function create(call: Call, id: string): Promise<void> {
  const [above = "", path = ""] = id.split("/providers/");
  const [namespace = "", ...segments] = path.split("/");
  for (let length = 2; length <= segments.length; length += 2) {
    const each = [above, "providers", namespace, ...segments.slice(0, length)].join("/");
    await call("PUT", each, { location: "westeurope" });
  }
}

/** A webhook that closes after the test. */
export async function startWebhook(): Promise<Webhook> {
  const webhook = await Webhook.start();
  onTestFinished(() => webhook[Symbol.asyncDispose]());
  return webhook;
}

export const PUBLIC_URL = "https://orders.example.com/api/events";

/** A cloud with a webhook at {@link PUBLIC_URL}. */
export async function startHooked(options: LocalCloudOptions = {}) {
  const webhook = await startWebhook();
  const ingress = { [new URL(PUBLIC_URL).origin]: webhook.url };
  return { webhook, cloud: await startCloud({ ingress, ...options }) };
}

/** A cloud with a topic, a webhook behind the ingress, and a subscription between them. */
export async function startShop(
  options: LocalCloudOptions = {},
  subscription: Partial<NewEventSubscription> = {},
) {
  const { cloud, webhook } = await startHooked({ clock: "stepped", ...options });
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

export const BATCH = "application/cloudevents-batch+json; charset=utf-8";

interface Publishable {
  readonly endpoint: string;
  readonly accessKey: string;
}

/** Posts a body to a topic with its key, as any HTTP client would. */
export function post(
  { endpoint, accessKey }: Publishable,
  body: string | Uint8Array<ArrayBuffer>,
  type = "application/cloudevents+json",
): Promise<Response> {
  const headers = { "aeg-sas-key": accessKey, "content-type": type };
  return fetch(`${endpoint}?api-version=2018-01-01`, { method: "POST", headers, body });
}

/** Publishes one event. */
export function publishTo(topic: Publishable, event: Record<string, unknown> = {}) {
  return post(topic, JSON.stringify(cloudEvent(event)));
}

/** Publishes events in one request. */
export function publishBatch(topic: Publishable, events: readonly object[]) {
  return post(topic, JSON.stringify(events), BATCH);
}
