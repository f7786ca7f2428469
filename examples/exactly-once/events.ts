import { defineEvents, type } from "cloud-eventgrid-binding-runtime/events";

export const shop = defineEvents({ "shop.order.placed": type<{ orderId: number }>() });
