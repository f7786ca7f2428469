import type { LocalCloudOptions, NewNamespaceSubscription } from "cloud-eventgrid-local";
import { cloudEvent, startCloud } from "../../support/cloud.js";

export const VERSION = "api-version=2024-06-01";
export const SINGLE = "application/cloudevents+json; charset=utf-8";
const BATCH = "application/cloudevents-batch+json; charset=utf-8";

export interface Received {
  readonly value: readonly {
    readonly brokerProperties: { readonly lockToken: string; readonly deliveryCount: number };
    readonly event: Readonly<Record<string, unknown>>;
  }[];
}

/** A cloud with the topic `orders` in a namespace, its queue `shop`, and functions that call it. */
export async function startNamespace(
  subscription: Partial<NewNamespaceSubscription> = {},
  options: LocalCloudOptions = {},
) {
  const cloud = await startCloud({ clock: "stepped", ...options });
  const namespace = cloud.namespaces.create({ name: "shop", resourceGroupName: "shop" });
  const topic = namespace.topics.create({ name: "orders" });
  const queue = await topic.subscriptions.create({ name: "shop", ...subscription });
  const call = (
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ) =>
    fetch(`${namespace.endpoint}/topics/${path}${path.includes("?") ? "&" : "?"}${VERSION}`, {
      method: "POST",
      headers: { authorization: `SharedAccessKey ${namespace.accessKey}`, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  const publish = (attributes: Record<string, unknown> = {}) =>
    call("orders:publish", JSON.stringify(cloudEvent({ data: {}, ...attributes })), {
      "content-type": SINGLE,
    });
  const publishAll = (events: readonly object[]) =>
    call("orders:publish", JSON.stringify(events), { "content-type": BATCH });
  const receive = async (query = "maxEvents=100&maxWaitTime=10") => {
    const response = await call(`orders/eventsubscriptions/shop:receive?${query}`);
    return ((await response.json()) as Received).value;
  };
  const settle = async (operation: string, ...lockTokens: (string | undefined)[]) => {
    const body = JSON.stringify({ lockTokens });
    const headers = { "content-type": "application/json" };
    const response = await call(`orders/eventsubscriptions/shop:${operation}`, body, headers);
    const result: unknown = await response.json();
    return result;
  };
  return { cloud, namespace, topic, queue, call, publish, publishAll, receive, settle };
}

/** Status, header and body of a refusal. */
export async function refusal(response: Response) {
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  const header = response.headers.get("broker-errorcode");
  return { status: response.status, header, code: error.code, message: error.message, error };
}
