import { inspect } from "node:util";
import { createPublisher, createReceiver } from "cloud-eventgrid-binding-runtime";
import { createInbox, createOutbox } from "cloud-eventgrid-binding-runtime/postgres";
import { Pool } from "pg";
import { expect, it } from "vitest";

const SECRET = "c2VjcmV0IGtleSBvZiB0aGUgdG9waWMgaW4gYmFzZTY0IQ==";
const publish = {
  topicEndpoint: "https://shop.westeurope-1.eventgrid.azure.net/api/events",
  accessKey: SECRET,
};
const queue = {
  namespaceEndpoint: "https://shop.westeurope-1.eventgrid.azure.net",
  topicName: "orders",
  eventSubscriptionName: "shop",
  receiveWith: "accessKey",
  accessKey: SECRET,
} as const;
const pool = new Pool({ connectionString: `postgresql://shop:${encodeURIComponent(SECRET)}@db` });
const shown = [SECRET, encodeURIComponent(SECRET)];

it.each([
  ["publisher", () => createPublisher(publish, { source: "/shop" })],
  ["receiver", () => createReceiver(queue, { on: { "*": () => {} } })],
  ["outbox", () => createOutbox(createPublisher(publish), { pool })],
  ["inbox", () => createInbox({ pool, consumer: "shop" })],
])("a logger that gets the %s sees neither key nor password", (_name, create) => {
  const made = create();
  const texts = [inspect(made, { depth: 12, showHidden: true }), JSON.stringify(made)];
  for (const text of texts) for (const secret of shown) expect(text).not.toContain(secret);
});
