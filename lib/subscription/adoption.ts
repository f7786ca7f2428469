import type { EventgridEventSubscription } from "@cdktf/provider-azurerm/lib/eventgrid-event-subscription/index.js";
import { Fn, Token } from "cdktf";
import type { ScopedSubscription } from "./scoped-subscriptions.js";
import type { ExistingSubscriptionOptions, SubscriptionSettings } from "./settings.js";

type Settings = SubscriptionSettings & ExistingSubscriptionOptions;

/**
 * Imports an event subscription that exists.
 *
 * Terraform would then find nothing to change, write nothing, and Event Grid would never shake
 * hands: nothing would be delivered. The label of {@link withAdoptionLabel} makes it an update.
 */
export function adopt(
  subscription: EventgridEventSubscription,
  { scope, name }: ScopedSubscription,
): void {
  subscription.importFrom(`${scope}/providers/Microsoft.EventGrid/eventSubscriptions/${name}`);
}

/** Settings with the label that an adopted subscription has and its predecessor had not. */
export function withAdoptionLabel(settings: Settings): Settings {
  const { existingSubscription, adoptionLabel = "adopted", labels = [] } = settings;
  if (existingSubscription === undefined || labels.includes(adoptionLabel)) return settings;
  if (Token.isUnresolved(labels)) {
    const both = Fn.distinct(Fn.concat([[...labels], [adoptionLabel]]));
    return { ...settings, labels: Token.asList(both) };
  }
  return { ...settings, labels: [...labels, adoptionLabel] };
}
