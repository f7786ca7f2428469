import {
  bindingFromEnvironment,
  createListener,
  createPublisher,
} from "cloud-eventgrid-binding-runtime";
import { orders } from "./events.js";
import { bookParcel } from "./shipping.js";

const binding = bindingFromEnvironment("ORDERS");
const publisher = createPublisher(binding, { events: orders, source: "/shop/shipping" });

const listener = createListener(binding, {
  events: orders,
  on: {
    "shop.order.placed": async (event, { signal, log, caller }) => {
      const parcel = await bookParcel(event.data, signal);
      await publisher.create({
        type: "shop.order.shipped",
        subject: event.subject,
        data: { ...event.data, parcel },
      });
      log.info({ caller: caller.applicationId }, `shipped order ${event.data.orderId}`);
    },
    "shop.order.shipped": async (event, { log, caller }) => {
      log.info({ caller: caller.applicationId }, `told the customer of ${event.data.parcel}`);
    },
  },
  drainLagMs: 0, // no load balancer has to notice on a laptop
});
await listener.listen();

// First no more deliveries, then the publisher, which the handlers in flight may still need.
process.once("SIGTERM", async () => {
  await listener.close();
  await publisher.close();
});
