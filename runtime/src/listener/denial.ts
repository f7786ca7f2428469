/** Why a caller was not let in; a stable word for logs and measurements. */
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
 * A caller that is not let in.
 *
 * 401 and 403 make Event Grid give up on the event, so they are for callers that are not Event
 * Grid; whatever may be different later is 503.
 */
export class Denial {
  readonly status: 401 | 403 | 503;
  readonly reason: DenialReason;
  /** For the log: what was found and what was expected, without the token. */
  readonly detail: string;

  constructor(status: 401 | 403 | 503, reason: DenialReason, detail: string) {
    this.status = status;
    this.reason = reason;
    this.detail = detail;
  }
}
