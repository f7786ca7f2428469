import { expect, it } from "vitest";
import { cloudEvent, publishTo, startCloud } from "../support/cloud.js";
import { emptyDirectory } from "../support/command.js";
import { namespaceClient } from "../support/namespace-client.js";

it("keeps namespaces, keys, events and delivery counts over a restart", async () => {
  const persist = emptyDirectory();
  const start = () => startCloud({ persist, clock: "stepped" });
  const before = await start();
  const namespace = before.namespaces.create({ name: "shop", resourceGroupName: "shop" });
  const topic = namespace.topics.create({ name: "orders", eventRetentionInDays: 2 });
  const queue = await topic.subscriptions.create({ name: "queue", maxDeliveryCount: 4 });
  const events = ["acknowledged", "locked", "delayed", "waiting"].map((id) =>
    cloudEvent({ id, data: {} }),
  );
  const { endpoint } = namespace;
  const { accessKey } = topic;
  const published = await namespaceClient({ endpoint, accessKey }).publishAll(events);
  expect(published.status).toBe(200);
  const [first, locked, third] = await queue.receive({ maxEvents: 3 });
  queue.acknowledge([first?.lockToken ?? ""]);
  queue.release([third?.lockToken ?? ""], 10_000);
  await before.close();

  const cloud = await start();
  const restored = cloud.namespaces.get(namespace.id)?.topics.get("orders");
  expect(restored?.keys()).toEqual(topic.keys());
  expect(restored?.eventRetentionInDays).toBe(2);
  const again = restored?.subscriptions.get("queue");
  expect(again?.settings.maxDeliveryCount).toBe(4);
  expect(again?.counts).toMatchObject({ waiting: 2, delayed: 1, locked: 0 });
  const received = await again?.receive({ maxEvents: 3 });
  expect(received?.map(({ event, deliveryCount }) => [event.id, deliveryCount])).toEqual([
    ["locked", 2],
    ["waiting", 1],
  ]);
  expect(again?.acknowledge([locked?.lockToken ?? ""]).failedLockTokens).toMatchObject([
    { error: { code: "TokenLost" } },
  ]);
});

it("publishes to a namespace what waited for a retry before a restart", async () => {
  const persist = emptyDirectory();
  const start = () => startCloud({ persist, clock: "stepped" });
  const before = await start();
  const namespace = before.namespaces.create({ name: "shop", resourceGroupName: "shop" });
  const topic = namespace.topics.create({ name: "orders" });
  const source = before.topics.create({ name: "orders", resourceGroupName: "shop" });
  await before.eventSubscriptions.create({
    name: "to-namespace",
    scope: source.id,
    destination: { endpointType: "NamespaceTopic", properties: { resourceId: topic.id } },
  });
  namespace.topics.delete("orders");
  for (const id of ["1", "2", "3"]) await publishTo(source, { id, data: {} });
  await before.clock.advance({ seconds: 1 });
  expect(before.deliveries().map(({ outcome }) => outcome)).toEqual(Array(3).fill("retrying"));
  await before.close();

  const cloud = await start();
  const again = cloud.namespaces.get(namespace.id)?.topics.create({ name: "orders" });
  const queue = await again?.subscriptions.create({ name: "queue" });
  await cloud.drain();
  const received = await queue?.receive({ maxEvents: 10 });
  expect(received?.map(({ event }) => event.id).sort()).toEqual(["1", "2", "3"]);
});
