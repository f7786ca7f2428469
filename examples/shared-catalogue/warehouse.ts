import {
  createListener,
  createPublisher,
  type RuntimeBinding,
} from "cloud-eventgrid-binding-runtime";
import { orders, shipping } from "./catalogue.js";

/** Packs each order, and says so. */
export function createWarehouse(binding: RuntimeBinding<"input, output">) {
  const publisher = createPublisher(binding, { events: shipping, source: "/warehouse" });
  const listener = createListener(binding, {
    events: orders,
    on: {
      "shop.order.placed": async ({ data: { orderId, article } }) => {
        const parcels = article === "tea service" ? 2 : 1;
        await publisher.create({ type: "shop.order.packed", data: { orderId, parcels } });
      },
    },
    port: 0,
    drainLagMs: 0,
    logger: false,
  });
  return { listener, publisher };
}
