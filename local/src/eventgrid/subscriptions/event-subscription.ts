import type { MessageDestination } from "../destinations/index.js";
import type { DeliverySchema } from "../events/index.js";
import type { EventFilter } from "../filters/index.js";
import type { DeliveryProperty } from "./delivery-properties.js";

/** When Event Grid stops retrying: at the limit that is reached first. */
export interface RetryPolicy {
  /** 1–30. @default 30 */
  readonly maxDeliveryAttempts?: number | undefined;
  /** 1–1440. @default 1440 */
  readonly eventTimeToLiveInMinutes?: number | undefined;
}

/** Several events in one delivery, which succeeds or fails as a whole. */
export interface OutputBatching {
  /** 1–5000. @default 1 */
  readonly maxEventsPerBatch?: number | undefined;
  /** 1–1024; a single larger event is still delivered. @default 64 */
  readonly preferredBatchSizeInKilobytes?: number | undefined;
}

/** The storage container for undeliverable events. */
export interface DeadLetterDestination {
  readonly container: string;
  /** Resource ID of the storage account. @default an account named `local` */
  readonly storageAccountId?: string | undefined;
}

/** Settings of a new event subscription. */
export interface NewEventSubscription {
  /** 3 to 64 letters, digits and hyphens. */
  readonly name: string;
  /** Subscription, resource group, resource or topic whose events to deliver. */
  readonly scope: string;
  /** The webhook's https URL, including its query. Needed unless there is another `destination`. */
  readonly endpointUrl?: string | undefined;
  /** A queue, Service Bus topic or event hub to send the events to, instead of a webhook. */
  readonly destination?: MessageDestination | undefined;
  /**
   * Client ID or identifier URI of the application that protects the webhook.
   * @default deliveries carry no token
   */
  readonly clientId?: string | undefined;
  /** Tenant of that application. @default the cloud's */
  readonly tenantId?: string | undefined;
  /**
   * Schema of deliveries. It decides the handshake too.
   * @default the topic's input schema, and `CloudEventSchemaV1_0` for events of Azure services
   */
  readonly deliverySchema?: DeliverySchema | undefined;
  /** @default all events of the scope */
  readonly filter?: EventFilter | undefined;
  /** @default 30 attempts within a day */
  readonly retryPolicy?: RetryPolicy | undefined;
  /** @default one event per delivery */
  readonly batching?: OutputBatching | undefined;
  /** @default undeliverable events are dropped */
  readonly deadLetter?: DeadLetterDestination | undefined;
  /** Headers to add to deliveries. @default none */
  readonly deliveryProperties?: readonly DeliveryProperty[] | undefined;
  /** ISO 8601 time after which nothing is delivered. @default never */
  readonly expiresAt?: string | undefined;
  readonly labels?: readonly string[] | undefined;
}

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

/** The settings of a subscription with every default filled in. */
export interface EventSubscriptionSettings {
  /** The webhook's URL; `undefined` for another destination. */
  readonly endpointUrl: string | undefined;
  readonly destination: MessageDestination | undefined;
  readonly clientId: string | undefined;
  readonly tenantId: string;
  readonly deliverySchema: DeliverySchema;
  readonly filter: EventFilter;
  readonly retryPolicy: Required<Defined<RetryPolicy>>;
  readonly batching: Required<Defined<OutputBatching>>;
  readonly deadLetter: DeadLetterDestination | undefined;
  readonly deliveryProperties: readonly DeliveryProperty[];
  readonly expiresAt: string | undefined;
  readonly labels: readonly string[];
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };
