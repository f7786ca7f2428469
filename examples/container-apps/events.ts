import { defineEvents, type } from "cloud-eventgrid-binding-runtime/events";

/** The events that the warehouse receives and publishes. */
export const warehouse = defineEvents({
  "shop.order.placed": type<{ orderId: string; article: string }>(),
  "shop.parcel.packed": type<{ orderId: string }>(),
});
