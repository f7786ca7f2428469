import type { DeliveryProperty } from "../delivery/delivery-properties.js";
import type { EventFilter } from "../filters/event-filter.js";

/** When an event is given up: what of the two comes first. */
export interface RetryPolicy {
  /** 1–30. @default 30 */
  readonly maxDeliveryAttempts?: number | undefined;
  /** 1–1440. @default 1440 */
  readonly eventTimeToLiveInMinutes?: number | undefined;
}

/** Several events in one delivery; all are accepted or all come again. */
export interface OutputBatching {
  /** 1–5000. @default 1 */
  readonly maxEventsPerBatch?: number | undefined;
  /** 1–1024; a single larger event is delivered all the same. @default 64 */
  readonly preferredBatchSizeInKilobytes?: number | undefined;
}

/** The storage container that undeliverable events are put into. */
export interface DeadLetterDestination {
  readonly container: string;
  /** Resource ID of the storage account. @default an account called `local` */
  readonly storageAccountId?: string | undefined;
}

/** An event subscription to be made. */
export interface NewEventSubscription {
  /** 3 to 64 letters, digits and hyphens. */
  readonly name: string;
  /** Subscription, resource group, resource or topic whose events it is for. */
  readonly scope: string;
  /** The webhook's https URL, its query included. */
  readonly endpointUrl: string;
  /**
   * Client ID or identifier URI of the application that protects the webhook.
   * @default deliveries carry no token
   */
  readonly clientId?: string | undefined;
  /** Tenant of that application. @default the cloud's */
  readonly tenantId?: string | undefined;
  /** @default all events of the scope */
  readonly filter?: EventFilter | undefined;
  /** @default 30 attempts within a day */
  readonly retryPolicy?: RetryPolicy | undefined;
  /** @default one event per delivery */
  readonly batching?: OutputBatching | undefined;
  /** @default undeliverable events are dropped */
  readonly deadLetter?: DeadLetterDestination | undefined;
  /** Headers that are added to deliveries. */
  readonly deliveryProperties?: readonly DeliveryProperty[] | undefined;
  /** When it ends; nothing is delivered afterwards. @default never */
  readonly expiresAt?: string | undefined;
  readonly labels?: readonly string[] | undefined;
  /** What else Resource Manager was told about it, kept as it came. */
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
}

export type ProvisioningState = "Creating" | "Updating" | "Succeeded" | "Failed";

/** An event subscription as the cloud holds it. */
export interface EventSubscription {
  /** Its resource ID. */
  readonly id: string;
  readonly name: string;
  /** Normalised: one leading slash and none at the end. */
  readonly scope: string;
  readonly provisioningState: ProvisioningState;
  readonly settings: EventSubscriptionSettings;
}

/** What a subscription was told, with every default filled in. */
export interface EventSubscriptionSettings {
  readonly endpointUrl: string;
  readonly clientId: string | undefined;
  readonly tenantId: string;
  readonly filter: EventFilter;
  readonly retryPolicy: Required<Defined<RetryPolicy>>;
  readonly batching: Required<Defined<OutputBatching>>;
  readonly deadLetter: DeadLetterDestination | undefined;
  readonly deliveryProperties: readonly DeliveryProperty[];
  readonly expiresAt: string | undefined;
  readonly labels: readonly string[];
  readonly attributes: Readonly<Record<string, unknown>>;
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };
