import type { IResolvable } from "cdktf";
import type { AdvancedFilter } from "./advanced-filters.js";

/** Which events an event subscription delivers, and how. */
export interface SubscriptionSettings {
  /**
   * The event types that the service handles: the default of `includedEventTypes`.
   *
   * @default for an additional scope, the binding's own `events`; otherwise none, see
   * `includedEventTypes`
   */
  readonly events?: { readonly types: readonly string[] };
  /**
   * Event types to deliver. An empty list means every type: of a topic, and of a resource whose service
   * `systemEventTypes` has. The types of such a resource are written by name, because Azure's default
   * may be fewer: `BlobCreated` and `BlobDeleted` for a storage account. For other resources an empty
   * list means Azure's default.
   *
   * @default the types of `events`; without `events`, an empty list
   */
  readonly includedEventTypes?: readonly string[];
  /** @default every subject */
  readonly subjectFilter?: SubjectFilter;
  /**
   * Conditions on the event's attributes and data, all of which must hold, written with
   * {@link where}. They also look into arrays. At most 25 values in total.
   *
   * @default none
   */
  readonly advancedFilters?: readonly AdvancedFilter[];
  /** @default 30 attempts within 1440 minutes, like the service */
  readonly retryPolicy?: RetryPolicy;
  /**
   * Container for events that could not be delivered. Without one, Event Grid drops them.
   *
   * @default none
   */
  readonly deadLetter?: DeadLetterProps;
  /**
   * Delivers several events in one request, which succeed or fail together. One event that cannot be
   * handled at all (no JSON, no `id`, `source` or `type`, or rejected by its handler) costs the whole
   * batch a 400: Event Grid then dead-letters every event of it, or drops them without `deadLetter`.
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
   * Labels of the event subscription.
   *
   * @default none
   */
  readonly labels?: readonly string[];
}

/** Which subjects are delivered, by their beginning, their end, or both. */
export interface SubjectFilter {
  /** @default any beginning */
  readonly beginsWith?: string;
  /** @default any end */
  readonly endsWith?: string;
  /** @default false */
  readonly caseSensitive?: boolean | IResolvable;
}

/** How long Event Grid retries, until either limit is reached. */
export interface RetryPolicy {
  /** From 1 to 30. @default 30 */
  readonly maxDeliveryAttempts?: number;
  /** From 1 to 1440. @default 1440 */
  readonly eventTimeToLiveMinutes?: number;
}

/** How many events are delivered in one request. */
export interface Batching {
  /** From 1 to 5000. @default 1 */
  readonly maxEventsPerBatch?: number;
  /** From 1 to 1024. A single event may be larger. @default 64 */
  readonly preferredBatchSizeInKilobytes?: number;
}

/** A header of every delivery, with a fixed value or one taken from the event. */
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
      /** JSON path of the value in the event: `data.system`. */
      readonly sourceField: string;
      readonly value?: never;
      readonly secret?: never;
    };

/** A managed identity for Event Grid: the topic's own, or a user-assigned one. */
export type ManagedIdentity =
  | { readonly type: "SystemAssigned"; readonly userAssignedIdentity?: never }
  | {
      readonly type: "UserAssigned";
      /** Resource ID of the identity. */
      readonly userAssignedIdentity: string;
    };

/** A blob container for dead letters. */
export interface DeadLetterContainer {
  /** The storage account: its resource ID, or its construct. */
  readonly storageAccount: string | { readonly id: string };
  /** The blob container: its name, or its construct. */
  readonly container: string | { readonly name: string };
}

/** Container for events that could not be delivered. */
export interface DeadLetterProps extends DeadLetterContainer {
  /**
   * Managed identity that writes into the container. It gets the role that this requires, and the
   * event subscription waits until the role has taken effect: Azure refuses a subscription whose
   * identity may not write yet.
   *
   * It must be an identity of the topic that the events come from; if the scope is not a topic, of a
   * system topic for that scope.
   *
   * @default Event Grid's own access to the account
   */
  readonly identity?: ManagedIdentity & {
    /**
     * Object ID of the identity's principal. Not needed for the system-assigned identity of a topic
     * that the stack creates, nor if `existingAssignments` contains `"deadLetter"` because the
     * identity has the role already.
     */
    readonly principalId?: string | undefined;
  };
}

/**
 * A further resource to receive events from.
 *
 * Its filters (`includedEventTypes`, `subjectFilter`, `advancedFilters`) are set only
 * here: those of the binding apply to the binding's own `scope`. The event types default to the
 * binding's `events`, and all other settings to those of the binding.
 */
export interface AdditionalScope extends SubscriptionSettings, ExistingSubscriptionOptions {
  /** Resource whose events are received as well: a resource ID in one of the forms of `scope`. */
  readonly scope: string;
  /** @default the name of the binding's own event subscription */
  readonly eventSubscriptionName?: string;
}

/** How an event subscription that exists already is taken over. */
export interface ExistingSubscriptionOptions {
  /**
   * The event subscription exists already: created by a sidecar, or left behind by a failed
   * handshake. Its name may contain hyphens.
   *
   * `"adopt"` imports it and adds the label `adopted`, an update with a handshake. Change this to
   * `"adopted"` once that is applied: an import that stays in the code breaks a later plan from
   * scratch.
   *
   * @default the binding creates the event subscription
   */
  readonly existingSubscription?: "adopt" | "adopted";
}

export type ScopeSettings = SubscriptionSettings & ExistingSubscriptionOptions;

/** The event subscriptions of a binding: the one of its own scope, and those of further scopes. */
export interface SubscriptionOptions extends SubscriptionSettings, ExistingSubscriptionOptions {
  /**
   * Further resources to receive events from, each with its own event subscription. The keys name
   * them within the binding.
   *
   * @default only `scope`
   */
  readonly additionalScopes?: Readonly<Record<string, string | AdditionalScope>>;
}
