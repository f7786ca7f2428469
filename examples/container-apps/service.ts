import { DefaultAzureCredential } from "@azure/identity";
import {
  bindingFromEnvironment,
  createListener,
  createPublisher,
} from "cloud-eventgrid-binding-runtime";
import { deduplicationFromEnvironment } from "cloud-eventgrid-binding-runtime/redis";
import { warehouse } from "./events.js";

const binding = bindingFromEnvironment("WAREHOUSE");
const publisher = createPublisher(binding, {
  events: warehouse,
  source: "/shop/warehouse",
  credential: new DefaultAzureCredential(),
});

const listener = createListener(binding, {
  events: warehouse,
  on: {
    "shop.order.placed": async ({ data: { orderId, article } }, { log }) => {
      log.info({ orderId, article }, "packing");
      await publisher.create({
        type: "shop.parcel.packed",
        subject: `orders/${orderId}`,
        data: { orderId },
      });
    },
    "shop.parcel.packed": async ({ data: { orderId } }, { log }) => {
      log.info({ orderId }, "packed");
    },
  },
  deduplication: deduplicationFromEnvironment("WAREHOUSE"),
  signals: ["SIGTERM"],
});
await listener.listen();
