export const TENANT = "11111111-1111-4111-8111-111111111111";
export const SUBSCRIPTION = "22222222-2222-4222-8222-222222222222";
export const EVENT_GRID = "4962773b-9cdb-44cf-a8bf-237846a00ab7";
export const SCOPE = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop`;
export const URL = "https://orders.example.com/api/events";

/** Every binding has an application of its own. */
export function clientId(index: number): string {
  return `33333333-3333-4333-8333-${String(index).padStart(12, "0")}`;
}
