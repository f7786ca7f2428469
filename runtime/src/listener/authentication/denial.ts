/** Why a request was denied; a stable word for logs and metrics. */
export type DenialReason =
  | "no-token"
  | "repeated-header"
  | "scheme"
  | "too-long"
  | "malformed"
  | "algorithm"
  | "issuer"
  | "audience"
  | "tenant"
  | "expired"
  | "not-yet-valid"
  | "unknown-key"
  | "signature"
  | "caller"
  | "role"
  | "keys-unavailable";

/**
 * A request that is denied.
 *
 * Event Grid never retries 401 and 403, so these are for callers that are not Event Grid. A request
 * that may be accepted later gets 503.
 */
export class Denial {
  constructor(
    readonly status: 401 | 403 | 503,
    readonly reason: DenialReason,
    /** For the log: the received and the expected value, without the token. */
    readonly detail: string,
  ) {}
}
