import { defineEvents, type } from "cloud-eventgrid-binding-runtime/events";

export interface Order {
  orderId: string;
  article: string;
}

/** The events of the shop, shared by the stack and the service. */
export const orders = defineEvents({
  "shop.order.placed": type<Order>(),
  "shop.order.shipped": type<Order & { parcel: string }>(),
});
