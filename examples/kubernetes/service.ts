import { DefaultAzureCredential } from "@azure/identity";
import { bindingFromEnvironment, createListener } from "cloud-eventgrid-binding-runtime";
import { deduplicationFromEnvironment } from "cloud-eventgrid-binding-runtime/redis";
import { orders } from "./events.js";

const listener = createListener(bindingFromEnvironment("ORDERS", { direction: "input" }), {
  events: orders,
  on: {
    "shop.order.placed": async ({ data: { orderId } }, { log }) => {
      log.info({ orderId }, "order taken");
    },
  },
  deduplication: deduplicationFromEnvironment("ORDERS", {
    credential: new DefaultAzureCredential(),
  }),
  signals: ["SIGTERM"],
});
await listener.listen();
