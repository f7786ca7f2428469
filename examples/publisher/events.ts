import { defineEvents, type } from "cloud-eventgrid-binding-runtime/events";

export const orders = defineEvents({
  "shop.order.placed": type<{ orderId: string; article: string }>(),
});
