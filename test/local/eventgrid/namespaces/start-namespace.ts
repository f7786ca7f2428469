import type { LocalCloudOptions, NewNamespaceSubscription } from "cloud-eventgrid-local";
import { cloudEvent, startCloud } from "../../support/cloud.js";
import { namespaceClient } from "../../support/namespace-client.js";

/** A cloud with the topic `orders` in a namespace, its event subscription `queue`, and requests to them. */
export async function startNamespace(
  subscription: Partial<NewNamespaceSubscription> = {},
  options: LocalCloudOptions = {},
) {
  const cloud = await startCloud({ clock: "stepped", ...options });
  const namespace = cloud.namespaces.create({ name: "shop", resourceGroupName: "shop" });
  const topic = namespace.topics.create({ name: "orders" });
  const queue = await topic.subscriptions.create({ name: "queue", ...subscription });
  const client = namespaceClient(namespace);
  const publish = (attributes: Record<string, unknown> = {}) =>
    client.publishOne(cloudEvent({ data: {}, ...attributes }));
  return { ...client, cloud, namespace, topic, queue, publish };
}
