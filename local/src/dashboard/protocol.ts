import type { EventOrigin } from "../eventgrid/index.js";

export type {
  AttemptDetails,
  DeadLetterDetails,
  EventDetails,
  Headers,
  SubscriptionOutcome,
} from "./event-details.js";
export type {
  NamespaceDetails,
  NamespaceSubscriptionDetails,
  QueuedEventDetails,
} from "./namespaces.js";
export type {
  ApplicationDetails,
  DomainDetails,
  Resources,
  SubscriptionDetails,
  TopicDetails,
} from "./resources.js";

/**
 * The JSON that the dashboard's server and its page exchange. Times are milliseconds since 1970, on
 * the cloud's clock.
 */

/** The number of a delivery's attempt, from 1. */
export function attemptOf({ deliveryCount }: ActivityRow): number | undefined {
  return deliveryCount === undefined ? undefined : deliveryCount + 1;
}

/** One line of the live view. */
export interface ActivityRow {
  readonly number: number;
  readonly kind: "event" | "delivery" | "handshake";
  readonly at: number;
  /** Name of the topic, or NAMESPACE/TOPIC; missing for events of Azure's services. */
  readonly topic?: string | undefined;
  /** Where an accepted event came from. */
  readonly origin?: EventOrigin | undefined;
  /** Type of the event, or of the first of a batch. */
  readonly type?: string | undefined;
  readonly subject?: string | undefined;
  readonly eventId?: string | undefined;
  /** Number of the accepted event in the row, if it is still in the history. */
  readonly event?: number | undefined;
  /** How many events the delivery carried. */
  readonly eventCount?: number | undefined;
  /** Name of the event subscription. */
  readonly subscription?: string | undefined;
  readonly subscriptionId?: string | undefined;
  /** Number of earlier attempts: 0 at first, as in the header `aeg-delivery-count`. */
  readonly deliveryCount?: number | undefined;
  /** HTTP status; missing when there was no response. */
  readonly status?: number | undefined;
  readonly outcome: Outcome;
  /** Why there was no response, or why the handshake failed. */
  readonly error?: string | undefined;
  readonly durationMs?: number | undefined;
  readonly nextAttemptAt?: number | undefined;
}

export type Outcome =
  | "accepted"
  /** Accepted, but no subscription wants it. */
  | "unmatched"
  | "delivered"
  | "retrying"
  | "deadLettered"
  | "dropped"
  | "handshakeSucceeded"
  | "handshakeFailed";

/** A message of the event stream: new rows, the oldest first. */
export interface LiveMessage {
  readonly rows: readonly ActivityRow[];
  /** Rows that were left out because they came faster than a page can show. */
  readonly skipped: number;
  /** Events that are not yet delivered, dead-lettered or dropped. */
  readonly pending: number;
  readonly now: number;
  /** How fast the cloud's clock is: 1 as the wall clock, 60 sixty times as fast, 0 for a stepped one. */
  readonly clockSpeed: number;
}
