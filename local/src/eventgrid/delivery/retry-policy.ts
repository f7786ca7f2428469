import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../base/index.js";
import type { DeliveryRequest, DeliveryResponse } from "./delivery-attempt.js";

/** The request and the response of an attempt. */
interface AttemptExchange {
  readonly request?: DeliveryRequest | undefined;
  readonly response?: DeliveryResponse;
}

/** The HTTP status of the response, or why there is none. */
export type AttemptResult =
  | ({ readonly status: number } & AttemptExchange)
  | ({
      readonly status?: undefined;
      /** A value of `lastDeliveryOutcome`. */
      readonly failure:
        | "TimedOut"
        | "SocketError"
        | "ResolutionError"
        | "SessionQueueNotSupported"
        | "Disabled";
      readonly message: string;
    } & AttemptExchange);

export type DeliveryDecision =
  | { readonly kind: "delivered" }
  | {
      readonly kind: "refused";
      /** Why the event is not sent again. */
      readonly reason: string;
      readonly outcome: string;
    }
  | {
      readonly kind: "failed";
      readonly outcome: string;
      /** Shortest wait before the next attempt. */
      readonly minimumWaitMs: number;
    };

/** The shortest waits before the next attempt. */
const MINIMUM_WAIT_S: Readonly<Record<number, number>> = {
  401: 300,
  404: 300,
  408: 120,
  503: 30,
};

const OUTCOMES: Readonly<Record<number, string>> = {
  401: "Unauthorized",
  404: "NotFound",
  408: "TimedOut",
  429: "Busy",
  503: "Busy",
};

/** When events are retried, and when they are given up. */
export interface RetryPolicy {
  /** Statuses after which events are not sent again, with the end of the reason. */
  readonly final: Readonly<Record<number, string>>;
  /** Whether events are sent again after no response. */
  readonly retriesWithoutResponse: boolean;
  /** Milliseconds before each retry; the last ones are all the same. */
  readonly waits: readonly number[];
}

/**
 * The policy of topics, domains and system topics.
 *
 * @see https://learn.microsoft.com/azure/event-grid/delivery-and-retry#retry-schedule
 */
export const basicRetryPolicy: RetryPolicy = {
  final: { 400: "BadRequest", 401: "Unauthorized", 403: "Forbidden", 413: "PayloadTooLarge" },
  retriesWithoutResponse: true,
  waits: [
    10 * SECOND_MS,
    30 * SECOND_MS,
    MINUTE_MS,
    5 * MINUTE_MS,
    10 * MINUTE_MS,
    30 * MINUTE_MS,
    HOUR_MS,
    3 * HOUR_MS,
    6 * HOUR_MS,
    12 * HOUR_MS,
  ],
};

/**
 * The policy of namespaces. (The page also lists waits after timeouts and lost connections, which
 * contradicts its list of errors without a retry.)
 *
 * @see https://learn.microsoft.com/azure/event-grid/namespace-delivery-retry
 */
export const namespaceRetryPolicy: RetryPolicy = {
  final: { ...basicRetryPolicy.final, 404: "NotFound", 414: "UriTooLong" },
  retriesWithoutResponse: false,
  waits: [10 * SECOND_MS, 30 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS],
};

/**
 * Whether the event is delivered, dropped or retried. A webhook's 401 is final; that of an Azure
 * resource may be a role that has not taken effect yet.
 */
export function decisionOn(
  result: AttemptResult,
  { final, retriesWithoutResponse }: RetryPolicy,
  toWebhook: boolean,
): DeliveryDecision {
  if (result.status === undefined) {
    const { failure: outcome } = result;
    return retriesWithoutResponse
      ? { kind: "failed", outcome, minimumWaitMs: 10 * SECOND_MS }
      : { kind: "refused", outcome, reason: "UndeliverableDueToError" };
  }
  const { status } = result;
  if (status >= 200 && status <= 204) return { kind: "delivered" };
  const outcome = status === 401 && !toWebhook ? undefined : final[status];
  if (outcome) return { kind: "refused", reason: `UndeliverableDueToHttp${outcome}`, outcome };
  return {
    kind: "failed",
    outcome: OUTCOMES[status] ?? "GenericError",
    minimumWaitMs: (MINIMUM_WAIT_S[status] ?? 10) * SECOND_MS,
  };
}

/** @param attempts number of attempts so far */
export function waitBeforeRetry(
  { waits }: RetryPolicy,
  attempts: number,
  minimumMs: number,
): number {
  return Math.max(minimumMs, Number(waits[Math.min(attempts, waits.length) - 1]));
}
