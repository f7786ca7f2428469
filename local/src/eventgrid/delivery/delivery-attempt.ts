import { type AcceptedEvent, BoundedHistory, MAX_HISTORY_BYTES } from "../events/index.js";

/**
 * One delivery request to a webhook, as `cloud.deliveries()` reports it. Events that expire while they
 * wait for a retry have one more entry, with the `error` that says so and without status and request.
 */
export interface DeliveryAttempt {
  /** Name of the event subscription. */
  readonly subscription: string;
  /** Resource ID of the event subscription. */
  readonly subscriptionId: string;
  readonly events: readonly AcceptedEvent[];
  /** Number of earlier attempts: 0 at first, as in the header `aeg-delivery-count`. */
  readonly deliveryCount: number;
  /** Milliseconds since 1970, on the cloud's clock. */
  readonly at: number;
  /** Duration of the attempt in real milliseconds. */
  readonly durationMs: number;
  /** HTTP status of the response; `undefined` without a response. */
  readonly status: number | undefined;
  /** Why there was no response. */
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

/** Successful attempts that keep request and response, which take most of their memory. */
const KEPT_EXCHANGES = 1_000;

/** The latest attempts. Limits how many successful ones keep request and response. */
export class AttemptHistory {
  readonly #attempts: BoundedHistory<DeliveryAttempt>;
  #successes: DeliveryAttempt[] = [];

  constructor(entries: number) {
    this.#attempts = new BoundedHistory(entries, MAX_HISTORY_BYTES);
  }

  attempted(attempt: DeliveryAttempt): void {
    const bytes = attempt.events.reduce((sum, event) => sum + event.sizeInBytes, 0);
    this.#attempts.add(attempt, bytes);
    if (attempt.outcome !== "delivered") return;
    this.#successes.push(attempt);
    if (this.#successes.length < 2 * KEPT_EXCHANGES) return;
    for (const old of this.#successes.splice(0, KEPT_EXCHANGES)) dropExchange(old);
  }

  /** Oldest first. */
  list(): DeliveryAttempt[] {
    return this.#attempts.list();
  }

  clear(): void {
    this.#attempts.clear();
    this.#successes = [];
  }
}

/** Fields that are set to undefined take less memory than fields that are deleted. */
function dropExchange(attempt: {
  request?: DeliveryRequest | undefined;
  response?: DeliveryResponse | undefined;
}): void {
  attempt.request = undefined;
  attempt.response = undefined;
}
