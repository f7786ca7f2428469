import { createHash } from "node:crypto";

export const TENANT = uuidOf("tenant");
export const SUBSCRIPTION = uuidOf("subscription");
export const EVENT_GRID = "4962773b-9cdb-44cf-a8bf-237846a00ab7";
export const SCOPE = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop`;
export const URL = "https://orders.example.com/api/events";

/** The client ID of the application of a binding. */
export function clientId(index: number): string {
  return uuidOf(`client ${index}`);
}

/** The name of the event subscription of a binding. */
export function subscriptionName(index: number): string {
  return `orders${index}`;
}

/**
 * Returns a UUID like those of Entra. It is not zeros with a number at the end, because cdktf searches
 * every string for encoded number tokens, which is slow for long runs of digits.
 */
export function uuidOf(name: string): string {
  const digits = createHash("sha256").update(name).digest("hex");
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
}
