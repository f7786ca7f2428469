import { inspect } from "node:util";
import { createPublisher } from "cloud-eventgrid-binding-runtime";
import { createReceiver } from "cloud-eventgrid-binding-runtime/receiver";
import { expect, it } from "vitest";

const KEY = "c2VjcmV0IGtleSBvZiB0aGUgdG9waWMgaW4gYmFzZTY0IQ==";
const topic = {
  topicEndpoint: "https://shop.westeurope-1.eventgrid.azure.net/api/events",
  accessKey: KEY,
};
const queue = {
  namespaceEndpoint: "https://shop.westeurope-1.eventgrid.azure.net",
  topicName: "orders",
  eventSubscriptionName: "shop",
  receiveWith: "accessKey",
  accessKey: KEY,
} as const;

it.each([
  ["publisher", () => createPublisher(topic, { source: "/shop" })],
  ["receiver", () => createReceiver(queue, { on: { "*": () => {} } })],
])("a %s shows its access key to no logger that it is passed to", (_name, create) => {
  const made = create();
  expect(inspect(made, { depth: 12, showHidden: true })).not.toContain(KEY);
  expect(JSON.stringify(made)).not.toContain(KEY);
});
