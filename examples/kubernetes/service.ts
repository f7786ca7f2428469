import { bindingFromEnvironment, createListener } from "cloud-eventgrid-binding-runtime";
import { redisDeduplication } from "cloud-eventgrid-binding-runtime/redis";
import { orders } from "./events.js";
import { connectRedis } from "./redis.js";

const redis = connectRedis(process.env.REDIS_URL ?? "");
const listener = createListener(bindingFromEnvironment("ORDERS", { direction: "input" }), {
  events: orders,
  on: {
    "shop.order.placed": async ({ data: { orderId } }, { log }) => {
      log.info({ orderId }, "order taken");
    },
  },
  deduplication: redisDeduplication(redis),
  signals: ["SIGTERM"],
});
await listener.listen();

process.once("SIGTERM", async () => {
  await listener.close();
  redis.destroy(); // an open connection would keep the process running
});
