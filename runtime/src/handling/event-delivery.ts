import type { EventClaims } from "../deduplication/index.js";
import type { Received } from "../events/envelope/index.js";
import type { Log } from "../observability/index.js";

/** Who delivered an event, as its verified token says. */
export interface VerifiedCaller {
  /** Application ID of the caller: Event Grid's own, or one of the configured callers. */
  readonly applicationId: string;
  /** Object ID of the caller's service principal in the tenant. */
  readonly objectId: string | undefined;
  readonly tenantId: string;
  readonly roles: readonly string[];
}

/** Events that arrived together, as handling needs them. */
export interface EventDelivery {
  readonly received: readonly Received[];
  /** Outcomes by position in `received`; those of unfinished events are missing. */
  outcomes: Outcome[];
  /** Set if handled events are remembered. */
  claims: EventClaims | undefined;
  /** How often it was delivered before, from 0; `undefined` if the sender did not say. */
  readonly deliveryCount: number | undefined;
  readonly subscriptionName: string | undefined;
  /** The subscription's name in lower case: Event Grid's spelling of it varies. */
  readonly subscriptionKey: string;
  /** `undefined` for events that were pulled. */
  readonly caller: VerifiedCaller | undefined;
  readonly log: Log;
  /** Aborted at the deadline of a webhook's delivery, or when the lock of a pulled event is lost. */
  readonly signal: AbortSignal;
  /** Whether the deadline has passed: no further handler may start. */
  readonly isOverdue: boolean;
}

/** What happened to one event of a delivery. */
export type Outcome =
  /** Its handler returned. */
  | "handled"
  /** It had been handled before. */
  | "duplicate"
  /** No handler is registered for its type, and it was acknowledged. */
  | "unhandled"
  /** Its handler threw, or something the handler needs was unavailable. */
  | "failed"
  /** The deadline of the delivery passed first. */
  | "timed-out"
  /** Another delivery of the same event is being handled. */
  | "in-progress"
  /** No handler is registered for its type, and Event Grid is asked to retry it. */
  | "deferred"
  /**
   * Its handler or its schema rejected it for good, or no handler is registered and such events are
   * rejected.
   */
  | "rejected"
  /** It is not a CloudEvent. */
  | "malformed";

/** The property of an event's origin that differs from the binding. */
export type Mismatch = "subscription" | "resource";
