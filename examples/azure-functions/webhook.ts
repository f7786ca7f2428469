import {
  createWebhook,
  type RuntimeBinding,
  type WebhookEndpoint,
} from "cloud-eventgrid-binding-runtime";
import { orders } from "./events.js";

/** The webhook of the orders, which passes each of them on. */
export function ordersWebhook(
  binding: RuntimeBinding<"input">,
  ship: (orderId: string, article: string) => Promise<void>,
): WebhookEndpoint {
  return createWebhook(binding, {
    events: orders,
    on: {
      "shop.order.placed": async ({ data }, { log }) => {
        await ship(data.orderId, data.article);
        log.info({ orderId: data.orderId }, "order shipped");
      },
    },
  });
}
