import { DefaultAzureCredential } from "@azure/identity";
import {
  bindingFromEnvironment,
  createListener,
  createPublisher,
} from "cloud-eventgrid-binding-runtime";
import { redisDeduplication } from "cloud-eventgrid-binding-runtime/redis";
import { Redis } from "ioredis";
import { warehouse } from "./events.js";

const binding = bindingFromEnvironment("WAREHOUSE");
const publisher = createPublisher(binding, {
  events: warehouse,
  source: "/shop/warehouse",
  credential: new DefaultAzureCredential(),
});

const redis = new Redis(process.env.REDIS_URL ?? "", {
  enableOfflineQueue: false, // fail at once while Redis is unreachable: Event Grid tries again
  socketTimeout: 30_000, // a failover can break the connection without a sign
});
redis.on("error", ({ message }) => console.error(`Redis: ${message}`));

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
  deduplication: redisDeduplication(redis),
  signals: ["SIGTERM"],
});
await listener.listen();

process.once("SIGTERM", async () => {
  await listener.close();
  redis.disconnect(); // an open connection would keep the process running
});
