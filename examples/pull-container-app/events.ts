import { defineEvents, type } from "cloud-eventgrid-binding-runtime/events";

/** The events that the warehouse pulls. */
export const warehouse = defineEvents({
  "shop.order.placed": type<{ orderId: string; article: string }>(),
});
