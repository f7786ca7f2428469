import { bindingFromEnvironment, createListener } from "cloud-eventgrid-binding-runtime";
import { orders } from "./events.js";

const listener = createListener(bindingFromEnvironment("ORDERS", { direction: "input" }), {
  events: orders,
  on: {
    "shop.order.placed": async ({ data: { orderId } }, { log }) => {
      log.info({ orderId }, "order taken");
    },
  },
  signals: ["SIGTERM", "SIGINT"],
});
await listener.listen();
