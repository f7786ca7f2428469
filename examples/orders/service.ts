import {
  bindingFromEnvironment,
  createListener,
  createPublisher,
} from "cloud-eventgrid-binding-runtime";
import { orders } from "./events.js";
import { bookParcel } from "./shipping.js";

const binding = bindingFromEnvironment("ORDERS");
const publisher = createPublisher(binding, { events: orders, source: "/shop/orders" });

const listener = createListener(binding, {
  events: orders,
  on: {
    "shop.order.placed": async (event, { signal, log }) => {
      const parcel = await bookParcel(event.data, signal);
      await publisher.create({
        type: "shop.order.shipped",
        subject: `orders/${event.data.orderId}`,
        data: { ...event.data, parcel },
      });
      log.info({ orderId: event.data.orderId, parcel }, "order shipped");
    },
    "shop.order.shipped": async (event, { log }) => {
      log.info({ orderId: event.data.orderId }, "customer told");
    },
  },
  onClose: () => publisher.close(),
});

listener.listen();
