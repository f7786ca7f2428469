import { defineEvents, type } from "cloud-eventgrid-binding-runtime/events";

/** What the warehouse hears of, and what it tells. */
export const warehouse = defineEvents({
  "shop.order.placed": type<{ orderId: string; article: string }>(),
  "shop.parcel.packed": type<{ orderId: string }>(),
});
