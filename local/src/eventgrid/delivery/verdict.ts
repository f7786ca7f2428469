/** What an attempt came to: an HTTP status, or the reason why there is none. */
export type AttemptResult =
  | { readonly status: number }
  | {
      readonly status?: undefined;
      readonly failure: "TimedOut" | "SocketError";
      readonly message: string;
    };

export type Verdict =
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
      /** The next attempt does not come sooner. */
      readonly minimumWaitMs: number;
    };

/** Statuses by which a webhook says that it will never take the event. */
const FINAL: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  413: "PayloadTooLarge",
};

const MINIMUM_WAIT_S: Readonly<Record<number, number>> = { 404: 300, 408: 120, 503: 30 };

const OUTCOMES: Readonly<Record<number, string>> = {
  404: "NotFound",
  408: "TimedOut",
  429: "Busy",
  503: "Busy",
};

export function verdictOn(result: AttemptResult): Verdict {
  if (result.status === undefined) {
    return { kind: "failed", outcome: result.failure, minimumWaitMs: 10_000 };
  }
  const { status } = result;
  if (status >= 200 && status <= 204) return { kind: "delivered" };
  const final = FINAL[status];
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

/** @param attempts how many there have been */
export function waitBeforeRetry(attempts: number, minimumMs: number): number {
  return Math.max(minimumMs, SCHEDULE[attempts - 1] ?? 12 * HOUR);
}
