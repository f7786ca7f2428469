import { createHash } from "node:crypto";

export const TENANT = uuidOf("tenant");
export const SUBSCRIPTION = uuidOf("subscription");
export const EVENT_GRID = "4962773b-9cdb-44cf-a8bf-237846a00ab7";
export const SCOPE = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop`;
export const URL = "https://orders.example.com/api/events";

/** Every binding has an application of its own. */
export function clientId(index: number): string {
  return uuidOf(`client ${index}`);
}

/** What the event subscription of a binding is called. */
export function subscriptionName(index: number): string {
  return `orders${index}`;
}

/**
 * A UUID as Entra makes them. Not zeros with a number at the end: cdktf searches every text for
 * numbers that stand for tokens, and takes long for a long row of digits.
 */
export function uuidOf(name: string): string {
  const digits = createHash("sha256").update(name).digest("hex");
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
}
