import { defineEvents, type } from "cloud-eventgrid-binding-runtime";

export const shop = defineEvents({ "shop.order.placed": type<{ orderId: number }>() });
