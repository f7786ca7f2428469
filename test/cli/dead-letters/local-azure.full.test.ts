import { randomUUID } from "node:crypto";
import { LocalCloud } from "cloud-eventgrid-local";
import { expect, it } from "vitest";
import { startAzurite } from "../../support/azurite.js";
import { command } from "../command.js";

const EVENTS = 1_000;

/** The events that a topic of a local Azure dead-letters into a container of Azurite. */
async function deadLetter(connectionString: string, container: string): Promise<void> {
  await using cloud = await LocalCloud.start({ storageConnectionString: connectionString });
  const topic = cloud.topics.create({ name: "orders" });
  await cloud.eventSubscriptions.create({
    name: "orders-queue",
    scope: topic.id,
    destination: { type: "StorageQueue", queue: "orders" },
    deadLetter: { container },
  });
  cloud.faults.deliveries({ status: 400 });
  const events = Array.from({ length: EVENTS }, (_, index) => ({
    ...{ specversion: "1.0", id: String(index), source: "/shop", type: "shop.order.placed" },
    data: { orderId: index },
  }));
  await fetch(topic.endpoint, {
    method: "POST",
    headers: {
      "aeg-sas-key": topic.accessKey,
      "content-type": "application/cloudevents-batch+json",
    },
    body: JSON.stringify(events),
  });
  await cloud.drain();
}

it("replays 1,000 dead letters that a local Azure wrote, each exactly once", async () => {
  await using azurite = await startAzurite();
  await using cloud = await LocalCloud.start();
  const container = `dead-${randomUUID()}`;
  await deadLetter(azurite.connectionString, container);

  const topic = cloud.topics.create({ name: "orders" });
  const env = {
    AZURE_STORAGE_CONNECTION_STRING: azurite.connectionString,
    ORDERS_TOPIC_ENDPOINT: topic.endpoint,
    ORDERS_ACCESS_KEY: topic.accessKey,
  };
  const deadLetters = (subcommand: string, ...args: string[]) =>
    command(["dead-letters", subcommand, "--container", container, ...args], { env });
  const first = await deadLetters("replay", "--env", "ORDERS", "--yes");
  expect(first).toMatchObject({ exitCode: 0, out: "The topic accepted 1000 events.\n" });
  const ids = topic.events().map(({ id }) => Number(id));
  expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: EVENTS }, (_, index) => index));

  await deadLetters("replay", "--env", "ORDERS", "--yes");
  expect(topic.events()).toHaveLength(EVENTS);
  expect(JSON.parse((await deadLetters("list", "--json")).out).groups).toMatchObject([
    { key: { reason: "UndeliverableDueToHttpBadRequest" }, count: EVENTS, replayed: EVENTS },
  ]);
}, 180_000);
