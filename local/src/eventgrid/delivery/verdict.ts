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
      readonly failure: "TimedOut" | "SocketError";
      readonly message: string;
    } & AttemptExchange);

export type DeliveryVerdict =
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

/** Statuses after which Event Grid does not retry. */
const NOT_RETRIED: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  413: "PayloadTooLarge",
};

const MINIMUM_WAIT_S: Readonly<Record<number, number>> = {
  401: 300,
  404: 300,
  408: 120,
  503: 30,
};

const OUTCOMES: Readonly<Record<number, string>> = {
  404: "NotFound",
  408: "TimedOut",
  429: "Busy",
  503: "Busy",
};

/** When events are retried, and when they are given up. */
export interface DeliveryPolicy {
  verdictOn(result: AttemptResult, toWebhook: boolean): DeliveryVerdict;
  /** @param attempts number of attempts so far */
  waitBeforeRetry(attempts: number, minimumMs: number): number;
}

/**
 * Whether the event is delivered, dropped or retried. A webhook's 401 is final; that of an Azure
 * resource may be a role that has not taken effect yet.
 *
 * @see https://learn.microsoft.com/azure/event-grid/delivery-and-retry#retry-schedule
 */
function verdictOn(result: AttemptResult, toWebhook: boolean): DeliveryVerdict {
  if (result.status === undefined) {
    return { kind: "failed", outcome: result.failure, minimumWaitMs: 10_000 };
  }
  const { status } = result;
  if (status >= 200 && status <= 204) return { kind: "delivered" };
  const final = status === 401 && !toWebhook ? undefined : NOT_RETRIED[status];
  if (final) return { kind: "refused", reason: `UndeliverableDueToHttp${final}`, outcome: final };
  return {
    kind: "failed",
    outcome: OUTCOMES[status] ?? "GenericError",
    minimumWaitMs: (MINIMUM_WAIT_S[status] ?? 10) * 1000,
  };
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const SCHEDULE = [
  10 * SECOND,
  30 * SECOND,
  MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
];

/** The policy of topics, domains and system topics. */
export const basicPolicy: DeliveryPolicy = {
  verdictOn,
  waitBeforeRetry: (attempts, minimumMs) =>
    Math.max(minimumMs, SCHEDULE[attempts - 1] ?? 12 * HOUR),
};

/** Statuses after which a namespace does not retry. */
const NOT_RETRIED_BY_NAMESPACE: Readonly<Record<number, string>> = {
  ...NOT_RETRIED,
  404: "NotFound",
  414: "UriTooLong",
};

const NAMESPACE_SCHEDULE = [10 * SECOND, 30 * SECOND, MINUTE];

/**
 * The policy of namespaces, for which 404 and a missing response are final. (The page also lists waits
 * after timeouts and lost connections, which contradicts its list of errors without a retry.)
 *
 * @see https://learn.microsoft.com/azure/event-grid/namespace-delivery-retry
 */
export const namespacePolicy: DeliveryPolicy = {
  verdictOn(result, toWebhook) {
    if (result.status === undefined) {
      return { kind: "refused", reason: "UndeliverableDueToError", outcome: result.failure };
    }
    const final = NOT_RETRIED_BY_NAMESPACE[result.status];
    if (!final) return verdictOn(result, toWebhook);
    return { kind: "refused", reason: `UndeliverableDueToHttp${final}`, outcome: final };
  },
  waitBeforeRetry: (attempts, minimumMs) =>
    Math.max(minimumMs, NAMESPACE_SCHEDULE[attempts - 1] ?? 5 * MINUTE),
};
