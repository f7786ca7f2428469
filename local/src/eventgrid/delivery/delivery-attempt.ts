import type { AcceptedEvent } from "../events/index.js";

/** One delivery request to a webhook, as `cloud.deliveries()` reports it. */
export interface DeliveryAttempt {
  /** Name of the event subscription. */
  readonly subscription: string;
  readonly events: readonly AcceptedEvent[];
  /** Number of earlier attempts: 0 at first, as in the header `aeg-delivery-count`. */
  readonly deliveryCount: number;
  /** Milliseconds since 1970, on the cloud's clock. */
  readonly at: number;
  /** HTTP status of the response; `undefined` without a response. */
  readonly status: number | undefined;
  /** Why there was no response. */
  readonly error?: string;
  readonly outcome: "delivered" | "retrying" | "deadLettered" | "dropped";
  /** When the next attempt is due, on the cloud's clock. */
  readonly nextAttemptAt?: number;
}
