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
      log.info({ caller: caller?.applicationId }, `shipped order ${event.data.orderId}`);
    },
    "shop.order.shipped": async (event, { log, caller }) => {
      log.info({ caller: caller?.applicationId }, `notified the customer of ${event.data.parcel}`);
    },
  },
  drainLagMs: 0, // a laptop has no load balancer that must notice
});
await listener.listen();

// The listener first: handlers in flight may still need the publisher.
process.once("SIGTERM", async () => {
  await listener.close();
  await publisher.close();
});
