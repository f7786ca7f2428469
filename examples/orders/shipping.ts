import { setTimeout } from "node:timers/promises";
import type { Order } from "./events.js";

const refusedOnce = new Set<string>();

/**
 * Books a parcel with a carrier that refuses glass the first time. The handler does not catch the
 * error, so Event Grid delivers the event again.
 */
export async function bookParcel(order: Order, signal: AbortSignal): Promise<string> {
  await setTimeout(5, undefined, { signal });
  if (order.article === "glass" && !refusedOnce.has(order.orderId)) {
    refusedOnce.add(order.orderId);
    throw new Error("the carrier has no padded van right now");
  }
  return `parcel-${order.orderId}`;
}
