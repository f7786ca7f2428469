import type { IResolvable } from "cdktf";
import type { All } from "../validation/index.js";
import type { AdvancedFilter } from "./advanced-filters.js";

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

/** Container for events that could not be delivered. */
export interface DeadLetterProps {
  /** The storage account: its resource ID, or the construct that makes it. */
  readonly storageAccount: string | { readonly id: string };
  /** The blob container: its name, or the construct that makes it. */
  readonly container: string | { readonly name: string };
  /**
   * Managed identity that writes into the container. It is given the role that it needs there, and
   * the event subscription waits until that has taken effect: Azure refuses one whose identity may
   * not write yet.
   *
   * It has to be an identity of the topic that the events come from; where the scope is no topic,
   * of a system topic for that scope.
   *
   * @default Event Grid's own access to the account
   */
  readonly identity?: ManagedIdentity & {
    /**
     * Object ID of the identity's principal. Required, unless `existingAssignments` says with
     * `"deadLetter"` that the identity has the role.
     */
    readonly principalId?: string | undefined;
  };
}

/**
 * A further resource to receive events from.
 *
 * Which of its events are delivered is said here alone (`includedEventTypes`, `subjectFilter`,
 * `advancedFilters`, `filterArrays`): the binding's own belong to its `scope`. Without event types,
 * the binding's `events` are taken. All other settings that are left out are the binding's own.
 */
export interface AdditionalScope extends SubscriptionSettings, ExistingSubscriptionOptions {
  /** Resource whose events are received, too: an ID of the four shapes of `scope`. */
  readonly scope: string;
  /** @default the name of the binding's own event subscription */
  readonly eventSubscriptionName?: string;
}

/** How an event subscription is taken over that was made by other means. */
export interface ExistingSubscriptionOptions {
  /**
   * The event subscription was there before: made by a sidecar, or left behind by a failed
   * handshake. Its name may have hyphens.
   *
   * `"adopt"` imports it and updates it at once, so that the handshake happens. Say `"adopted"` as
   * soon as that is applied: an import that stays in the code breaks a later plan from scratch.
   *
   * @default the event subscription is made here
   */
  readonly existingSubscription?: "adopt" | "adopted";
  /**
   * Label that an adopted subscription gets, so that there is something to update: an import alone
   * never shakes hands. A new label makes Event Grid shake hands again.
   *
   * @default "adopted"
   */
  readonly adoptionLabel?: string;
}

/** The event subscriptions of a binding: that of its own scope, and those of further scopes. */
export interface SubscriptionOptions extends SubscriptionSettings, ExistingSubscriptionOptions {
  /**
   * More resources to receive events from, each with an event subscription of its own. The keys
   * name them within the binding.
   *
   * @default only `scope`
   */
  readonly additionalScopes?: Readonly<Record<string, string | AdditionalScope>>;
}

const identity = { type: true, userAssignedIdentity: true, principalId: true } satisfies All<
  NonNullable<DeadLetterProps["identity"]>
>;

const settingNames: All<SubscriptionSettings & ExistingSubscriptionOptions> = {
  existingSubscription: true,
  adoptionLabel: true,
  events: true,
  includedEventTypes: true,
  subjectFilter: {
    beginsWith: true,
    endsWith: true,
    caseSensitive: true,
  } satisfies All<SubjectFilter>,
  advancedFilters: true,
  filterArrays: true,
  retryPolicy: { maxDeliveryAttempts: true, eventTimeToLive: true } satisfies All<RetryPolicy>,
  deadLetter: { storageAccount: true, container: true, identity } satisfies All<DeadLetterProps>,
  batching: {
    maxEventsPerBatch: true,
    preferredBatchSizeInKilobytes: true,
  } satisfies All<Batching>,
  deliveryProperties: {
    headerName: true,
    value: true,
    secret: true,
    sourceField: true,
  } satisfies All<DeliveryProperty>,
  deliveryIdentity: identity,
  labels: true,
  expirationTimeUtc: true,
};

const additionalScope: All<AdditionalScope> = {
  ...settingNames,
  scope: true,
  eventSubscriptionName: true,
};

/** Names of {@link SubscriptionOptions}. */
export const subscriptionOptionNames: All<SubscriptionOptions> = {
  ...settingNames,
  additionalScopes: { "*": additionalScope },
};
