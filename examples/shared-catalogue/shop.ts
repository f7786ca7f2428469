import {
  createListener,
  createPublisher,
  type RuntimeBinding,
} from "cloud-eventgrid-binding-runtime";
import { orders, shipping } from "./catalogue.js";

/** Places orders, and learns how many parcels each of them became. */
export function createShop(binding: RuntimeBinding<"input, output">) {
  const parcels = new Map<string, number>();
  const publisher = createPublisher(binding, { events: orders, source: "/shop" });
  const listener = createListener(binding, {
    events: shipping,
    on: { "shop.order.packed": ({ data }) => void parcels.set(data.orderId, data.parcels) },
    port: 0,
    drainLagMs: 0,
    logger: false,
  });
  return {
    listener,
    publisher,
    parcels,
    place: (orderId: string, article: string) =>
      publisher.create({ type: "shop.order.placed", data: { orderId, article } }),
  };
}
