import { NO_BATCHING, type WebhookSubscription } from "../../subscriptions/index.js";
import type { NamespaceSubscriptionSettings } from "./settings.js";

/** A subscription whose events are pushed, as the delivery to webhooks sees it. */
export function pushSubscription({
  id,
  name,
  topicId,
  settings,
}: {
  readonly id: string;
  readonly name: string;
  readonly topicId: string;
  readonly settings: NamespaceSubscriptionSettings;
}): WebhookSubscription {
  const { filter, deadLetter, expiresAt, maxDeliveryCount, eventTimeToLiveInMinutes } = settings;
  return {
    id,
    name,
    scope: topicId,
    provisioningState: "Succeeded",
    properties: {},
    settings: {
      endpointUrl: settings.webhook?.endpointUrl ?? "",
      destination: undefined,
      clientId: settings.webhook?.clientId,
      tenantId: settings.webhook?.tenantId ?? "",
      deliverySchema: "CloudEventSchemaV1_0",
      filter,
      retryPolicy: { maxDeliveryAttempts: maxDeliveryCount, eventTimeToLiveInMinutes },
      batching: settings.webhook?.batching ?? NO_BATCHING,
      deadLetter,
      deliveryProperties: settings.webhook?.deliveryProperties ?? [],
      expiresAt,
      labels: [],
    },
  };
}
