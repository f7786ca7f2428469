import type { AcceptedEvent } from "../event.js";

/** One request by which Event Grid brought events to a webhook, as `cloud.deliveries()` tells it. */
export interface DeliveryAttempt {
  /** Name of the event subscription. */
  readonly subscription: string;
  readonly events: readonly AcceptedEvent[];
  /** How many attempts there were before: 0 at first, as in the header `aeg-delivery-count`. */
  readonly deliveryCount: number;
  /** Milliseconds since 1970, on the cloud's clock. */
  readonly at: number;
  /** HTTP status of the answer; `undefined` when there was none. */
  readonly status: number | undefined;
  /** Why there was no answer. */
  readonly error?: string;
  readonly outcome: "delivered" | "retrying" | "deadLettered" | "dropped";
  /** When the next attempt is due, on the cloud's clock. */
  readonly nextAttemptAt?: number;
}
