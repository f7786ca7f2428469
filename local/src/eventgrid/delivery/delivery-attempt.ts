import type { AcceptedEvent } from "../events/index.js";

/**
 * One delivery request to a webhook, as `cloud.deliveries()` reports it. Events that expire while they
 * wait for a retry have one more entry, without `attempt`, status and request: its `error` says why.
 */
export interface DeliveryAttempt {
  /** Name of the event subscription. */
  readonly subscription: string;
  /** Resource ID of the event subscription. */
  readonly subscriptionId: string;
  readonly events: readonly AcceptedEvent[];
  /**
   * Number of the attempt, from 1. The header `aeg-delivery-count` is one less. `undefined` if events
   * have expired instead.
   */
  readonly attempt: number | undefined;
  /** Milliseconds since 1970, on the cloud's clock. */
  readonly at: number;
  /** Duration of the attempt in real milliseconds. */
  readonly durationMs: number;
  /** HTTP status of the response; `undefined` without a response. */
  readonly status: number | undefined;
  /** Why there was no response, or why the events did not become dead letters. */
  readonly error?: string | undefined;
  readonly outcome: "delivered" | "retrying" | "deadLettered" | "dropped";
  /** When the next attempt is due, on the cloud's clock. */
  readonly nextAttemptAt?: number | undefined;
  /**
   * Missing if a simulated fault responded instead of the webhook, and for successful attempts before
   * the latest 1,000.
   */
  readonly request?: DeliveryRequest | undefined;
  /** Missing if there was no response, and where the request is missing. */
  readonly response?: DeliveryResponse | undefined;
}

/** The request of a delivery. */
export interface DeliveryRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response of a webhook. */
export interface DeliveryResponse {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: {
    /** The first 8,192 characters. */
    readonly text: string;
    /** Whether the body is longer. */
    readonly truncated: boolean;
  };
}
