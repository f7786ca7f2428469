import { CloudEventGridBinding, type InputProvisioningOptions } from "cloud-eventgrid-binding";
import { synthesized } from "../support/synthesized.js";
import { received } from "./fixtures.js";

export const SUBSCRIPTION = "azurerm_eventgrid_event_subscription";

/** The event subscription that a binding with these options synthesizes. */
export function subscriptionWith(options: InputProvisioningOptions) {
  return synthesized((scope) => {
    new CloudEventGridBinding(scope, "orders", { ...received, ...options });
  }).one(SUBSCRIPTION, "orders/subscription");
}
