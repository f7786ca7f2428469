import type { EventSubscriptionSettings } from "./settings.js";

export type ProvisioningState =
  | "Creating"
  | "Updating"
  | "AwaitingManualAction"
  | "Succeeded"
  | "Failed";

/** An event subscription of the cloud. */
export interface EventSubscription {
  /** Its resource ID. */
  readonly id: string;
  readonly name: string;
  /** Normalised: one leading slash and none at the end. */
  readonly scope: string;
  readonly provisioningState: ProvisioningState;
  /**
   * The URL that validates the webhook when it is opened within ten minutes. Only in the state
   * `AwaitingManualAction`.
   */
  readonly validationUrl?: string | undefined;
  /** Why it could not be created. Only in the state `Failed`. */
  readonly failure?: string | undefined;
  /** What is stored: the properties as Resource Manager writes them, secrets included. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** What the properties mean. */
  readonly settings: EventSubscriptionSettings;
}

/** An event subscription to a webhook. */
export interface WebhookSubscription extends EventSubscription {
  readonly settings: EventSubscriptionSettings & { readonly endpointUrl: string };
}

export function isWebhookSubscription(
  subscription: EventSubscription,
): subscription is WebhookSubscription {
  return subscription.settings.endpointUrl !== undefined;
}
