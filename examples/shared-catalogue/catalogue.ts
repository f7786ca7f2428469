/** The events of both services. In two repositories, this file is a package. */
import { defineEvents } from "cloud-eventgrid-binding-runtime/events";
import { z } from "zod";

/** What the shop publishes and the warehouse handles. */
export const orders = defineEvents({
  "shop.order.placed": z.object({ orderId: z.string(), article: z.string() }),
});
/** What the warehouse publishes and the shop handles. */
export const shipping = defineEvents({
  "shop.order.packed": z.object({ orderId: z.string(), parcels: z.number() }),
});
