import type { IResolvable } from "cdktf";
import type { AdvancedFilter } from "./advanced-filters.js";
import type { DeadLetterProps } from "./dead-letter.js";

/** What an event subscription delivers, how, and for how long. */
export interface SubscriptionSettings {
  /**
   * The event types that the service handles: they become `includedEventTypes`, where those are
   * not named.
   *
   * @default all types are delivered; for an additional scope, the binding's own `events`
   */
  readonly events?: { readonly types: readonly string[] };
  /**
   * Event types to deliver; an empty list is all of them.
   *
   * @default the types of `events`; without a catalogue, all types
   */
  readonly includedEventTypes?: readonly string[];
  /** @default every subject */
  readonly subjectFilter?: SubjectFilter;
  /**
   * Conditions on the event's attributes and data, all of which must hold. At most 25 values in
   * all; written with {@link where}.
   *
   * @default none
   */
  readonly advancedFilters?: readonly AdvancedFilter[];
  /**
   * Whether an advanced filter looks into arrays, too.
   *
   * @default false
   */
  readonly filterArrays?: boolean | IResolvable;
  /** @default 30 attempts within 1440 minutes, the service's own */
  readonly retryPolicy?: RetryPolicy;
  /**
   * Container for events that could not be delivered. Without one they are dropped.
   *
   * @default none
   */
  readonly deadLetter?: DeadLetterProps;
  /**
   * Delivers several events in one request. All or none succeed together.
   *
   * @default one event per request
   */
  readonly batching?: Batching;
  /**
   * Headers that every delivery carries; at most 10.
   *
   * @default none
   */
  readonly deliveryProperties?: readonly DeliveryProperty[];
  /**
   * Managed identity that deliveries are made with. The listener has to be told to accept it.
   *
   * @default Event Grid's own
   */
  readonly deliveryIdentity?: ManagedIdentity & {
    /** Object ID of the identity's principal, which is then given the webhook's app role. */
    readonly principalId?: string;
  };
  /**
   * Labels of the event subscription.
   *
   * @default none
   */
  readonly labels?: readonly string[];
  /**
   * When the event subscription ends, in UTC and whole seconds: `2030-01-01T00:00:00Z`.
   *
   * @default never
   */
  readonly expirationTimeUtc?: string;
}

/** Which subjects are delivered: by their beginning, their end, or both. */
export interface SubjectFilter {
  /** @default any beginning */
  readonly beginsWith?: string;
  /** @default any end */
  readonly endsWith?: string;
  /** @default false */
  readonly caseSensitive?: boolean | IResolvable;
}

/** How long Event Grid tries; whichever comes first ends it. */
export interface RetryPolicy {
  /** From 1 to 30. @default 30 */
  readonly maxDeliveryAttempts?: number;
  /** In minutes, from 1 to 1440. @default 1440 */
  readonly eventTimeToLive?: number;
}

/** How many events come in one request. */
export interface Batching {
  /** From 1 to 5000. @default 1 */
  readonly maxEventsPerBatch?: number;
  /** From 1 to 1024. A single event may be larger. @default 64 */
  readonly preferredBatchSizeInKilobytes?: number;
}

/** A header of every delivery: the same value always, or one taken from the event. */
export type DeliveryProperty =
  | {
      readonly headerName: string;
      readonly value: string;
      /** Whether reading the subscription hides the value. @default false */
      readonly secret?: boolean | IResolvable;
      readonly sourceField?: never;
    }
  | {
      readonly headerName: string;
      /** Where in the event the value is, as a JSONPath: `data.system`. */
      readonly sourceField: string;
      readonly value?: never;
      readonly secret?: never;
    };

/** A managed identity that Event Grid acts with: the topic's own, or one that users manage. */
export type ManagedIdentity =
  | { readonly type: "SystemAssigned"; readonly userAssignedIdentity?: never }
  | {
      readonly type: "UserAssigned";
      /** Resource ID of the identity. */
      readonly userAssignedIdentity: string;
    };
