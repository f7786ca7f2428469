import { defineEvents } from "cloud-eventgrid-binding-runtime/events";
import { z } from "zod";

export const orders = defineEvents({
  "shop.order.placed": z.object({ orderId: z.string(), article: z.string() }),
});
