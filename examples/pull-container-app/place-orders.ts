/** Places an order for each article: `place-orders.ts ARTICLE…`, run by a service that is the shop. */
import { DefaultAzureCredential } from "@azure/identity";
import { createPublisher, namespaceTopicFromEnvironment } from "cloud-eventgrid-binding-runtime";
import { warehouse } from "./events.js";

await using publisher = createPublisher(namespaceTopicFromEnvironment("SHOP"), {
  events: warehouse,
  source: "/shop",
  credential: new DefaultAzureCredential(),
});
await publisher.create(
  process.argv.slice(2).map((article, index) => ({
    type: "shop.order.placed" as const,
    data: { orderId: String(index + 1), article },
  })),
);
