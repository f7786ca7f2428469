import { LocalCloud } from "cloud-eventgrid-local";
import { publishBatch } from "../../local/support/cloud.js";
import { deadLettersTo } from "../../local/support/dead-letters.js";

/** Makes a local Azure dead-letter events with these IDs into a container of Azurite. */
export async function deadLetter(
  ids: readonly string[],
  connectionString: string,
  container: string,
): Promise<void> {
  await using cloud = await LocalCloud.start({ storageConnectionString: connectionString });
  const topic = cloud.topics.create({ name: "orders" });
  await cloud.eventSubscriptions.create({
    name: "orders-queue",
    scope: topic.id,
    destination: { endpointType: "StorageQueue", properties: { queueName: "orders" } },
    ...deadLettersTo(container),
  });
  cloud.faults.deliveries({ status: 400 });
  const events = ids.map((id) => ({
    specversion: "1.0",
    id,
    source: "/shop",
    type: "shop.order.placed",
    data: { orderId: id },
  }));
  const response = await publishBatch(topic, events);
  if (!response.ok) throw new Error(`the topic answered ${response.status}`);
  await cloud.drain();
}
