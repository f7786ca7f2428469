import { SECOND_MS } from "../../units.js";

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

export function otherIssuer(issuer: unknown, names: readonly string[]): Denial {
  const detail = `the token's iss is ${shownClaim(issuer)}, expected ${oneOf(names)} (cloudTenantId, cloudEnvironment, cloudAuthorityHost)`;
  return new Denial(401, "issuer", detail);
}
export const unknownKey = new Denial(
  503,
  "unknown-key",
  "the issuer does not publish the token's key",
);
export const unknownKeyOfOther = new Denial(
  401,
  "unknown-key",
  "the token's key is unknown, and its caller is not Event Grid",
);
export const badSignature = new Denial(401, "signature", "the token's signature is invalid");
export const keysUnavailable = new Denial(
  503,
  "keys-unavailable",
  "the signing keys are unavailable",
);

/** Accepted values of a claim, for the log. */
export function oneOf(expected: Iterable<string>): string {
  return [...expected].map((value) => JSON.stringify(value)).join(" or ");
}

/** A claim as the log may show it. An anonymous caller can choose it, so it is cut short. */
export function shownClaim(claim: unknown): string {
  if (claim === undefined) return "missing";
  const json = String(JSON.stringify(claim));
  return json.length > 100 ? `${json.slice(0, 100)}…` : json;
}

/** A time in seconds since 1970, followed by its ISO 8601 form. */
export function shownTime(claim: unknown): string {
  const time = new Date(Number(claim) * SECOND_MS);
  const isTime = typeof claim === "number" && !Number.isNaN(time.getTime());
  return isTime ? `${claim}, ${time.toISOString()}` : shownClaim(claim);
}
