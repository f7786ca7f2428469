import { setTimeout } from "node:timers/promises";
import type { Order } from "./events.js";

const refusedOnce = new Set<string>();

/**
 * Books a parcel with a carrier that has its moods: it refuses glass at the first asking. The
 * handler lets the error through, and Event Grid brings the event again.
 */
export async function bookParcel(order: Order, signal: AbortSignal): Promise<string> {
  await setTimeout(5, undefined, { signal });
  if (order.article === "glass" && !refusedOnce.has(order.orderId)) {
    refusedOnce.add(order.orderId);
    throw new Error("the carrier has no padded van right now");
  }
  return `parcel-${order.orderId}`;
}
