import type { KeyObject } from "node:crypto";
import { uuidRule } from "../../binding/index.js";
import type { VerifiedCaller } from "../../handling/index.js";
import type { Clock } from "../../time.js";
import { MINUTE_MS, SECOND_MS } from "../../units.js";
import type { Exchange } from "../exchange.js";
import {
  badSignature,
  Denial,
  keysUnavailable,
  oneOf,
  otherIssuer,
  shownClaim,
  shownTime,
  unknownKey,
  unknownKeyOfOther,
} from "./denials.js";
import type { TrustedIssuers } from "./issuers.js";
import {
  bearerToken,
  type DecodedToken,
  decodeToken,
  isSignedBy,
  type TokenCache,
  type TokenVersion,
} from "./token.js";

/** The caller, or why the request is denied. */
export type AuthenticationResult = VerifiedCaller | Denial;

/**
 * Judges the token of a request.
 *
 * Cheap checks come first, so that denying a forged token costs less than accepting a real one.
 * Only the holder of a token signed by the tenant learns whether its caller and role are accepted.
 */
export class Authenticator {
  constructor(
    private readonly expected: ExpectedClaims,
    private readonly keys: TrustedIssuers,
    private readonly tokenCache: TokenCache,
    private readonly clock: Pick<Clock, "now">,
  ) {}

  /** Returns a promise only when a signing key has to be fetched first. */
  authenticate(
    request: Pick<Exchange, "headers" | "rawHeaders">,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    const { expected, keys } = this;
    const token = bearerToken(request);
    if (token instanceof Denial) return token;
    const now = this.clock.now();
    const known = this.tokenCache.get(token, now);
    if (known !== undefined) return known;

    const decoded = decodeToken(token);
    if (decoded instanceof Denial) return decoded;
    const denial = denialBeforeSignature(decoded.claims, expected, now);
    if (denial !== undefined) return denial;
    const issuer = keys.issuerOf(decoded.claims.iss);
    if (issuer === "unknown") return otherIssuer(decoded.claims.iss, keys.names);
    if (issuer === "metadata-missing") {
      void keys.renew();
      return keysUnavailable;
    }
    const key = issuer.key(decoded.keyId);
    if (key !== undefined) return this.#verify(token, decoded, issuer.version, key);
    // A token that says it is Event Grid's may be signed with a key that is not published yet, or
    // not any more: 401 would lose its events.
    if (acceptedCaller(decoded.claims, issuer.version, expected) === undefined) {
      return unknownKeyOfOther;
    }
    return issuer
      .fetchKey(decoded.keyId)
      .then((fetched) => this.#verify(token, decoded, issuer.version, fetched));
  }

  #verify(
    token: string,
    decoded: DecodedToken,
    version: TokenVersion,
    key: KeyObject | "unavailable" | undefined,
  ): AuthenticationResult {
    if (key === "unavailable") return keysUnavailable;
    if (key === undefined) return unknownKey;
    if (!isSignedBy(key, decoded)) return badSignature;
    const outOfTime = timeDenial(decoded.claims, this.clock.now());
    if (outOfTime !== undefined) return outOfTime;
    const caller = verifiedCaller(decoded.claims, version, this.expected);
    if (caller instanceof Denial) return caller;
    this.tokenCache.add(token, caller, Number(decoded.claims.exp) * SECOND_MS);
    return caller;
  }
}

type TokenClaims = Readonly<Record<string, unknown>>;

export interface ExpectedClaims {
  readonly tenantId: string;
  readonly audiences: ReadonlySet<string>;
  readonly callers: ReadonlySet<string>;
  /** `undefined` when no role is required. */
  readonly role: string | undefined;
}

/** Checks the claims that need no key, so that most foreign tokens cost no signature check. */
function denialBeforeSignature(
  claims: TokenClaims,
  expected: ExpectedClaims,
  now: number,
): Denial | undefined {
  const { aud, tid } = claims;
  if (typeof aud !== "string" || !expected.audiences.has(lowerCaseId(aud))) {
    const detail = `the token's aud is ${shownClaim(aud)}, expected ${oneOf(expected.audiences)} (cloudClientId, authentication.audiences)`;
    return new Denial(401, "audience", detail);
  }
  if (typeof tid !== "string" || tid.toLowerCase() !== expected.tenantId) {
    const detail = `the token's tid is ${shownClaim(tid)}, expected "${expected.tenantId}" (cloudTenantId)`;
    return new Denial(401, "tenant", detail);
  }
  const times = timeDenial(claims, now);
  return times?.status === 401 ? times : undefined;
}

/** How far the clocks of the issuer and the listener may be apart. */
const CLOCK_TOLERANCE_MS = MINUTE_MS;
/** Within this time outside the tolerance, a clock is more likely to be wrong than the token. */
const PLAUSIBLE_CLOCK_ERROR_MS = 600_000;

/** Checks when a token is valid. One that is out of time by a few minutes gets 503, not 401. */
function timeDenial({ exp, nbf }: TokenClaims, now: number): Denial | undefined {
  if (typeof exp !== "number" || !(exp * SECOND_MS > now - CLOCK_TOLERANCE_MS)) {
    const isClose =
      typeof exp === "number" &&
      exp * SECOND_MS > now - CLOCK_TOLERANCE_MS - PLAUSIBLE_CLOCK_ERROR_MS;
    return new Denial(isClose ? 503 : 401, "expired", `the token's exp is ${shownTime(exp)}`);
  }
  if (
    nbf !== undefined &&
    !(typeof nbf === "number" && nbf * SECOND_MS <= now + CLOCK_TOLERANCE_MS)
  ) {
    const isClose =
      typeof nbf === "number" &&
      nbf * SECOND_MS <= now + CLOCK_TOLERANCE_MS + PLAUSIBLE_CLOCK_ERROR_MS;
    return new Denial(isClose ? 503 : 401, "not-yet-valid", `the token's nbf is ${shownTime(nbf)}`);
  }
  return undefined;
}

/** The application that the token names as its caller, if it is an accepted one. */
function acceptedCaller(
  claims: TokenClaims,
  version: TokenVersion,
  { callers }: ExpectedClaims,
): string | undefined {
  const caller = callerClaim(claims, version);
  const applicationId = typeof caller === "string" ? caller.toLowerCase() : "";
  return callers.has(applicationId) ? applicationId : undefined;
}

function callerClaim(claims: TokenClaims, version: TokenVersion): unknown {
  return version === "v1" ? claims.appid : claims.azp;
}

/** Checks caller and role. Call it only for a token whose signature has been verified. */
function verifiedCaller(
  claims: TokenClaims,
  version: TokenVersion,
  expected: ExpectedClaims,
): VerifiedCaller | Denial {
  const applicationId = acceptedCaller(claims, version, expected);
  if (applicationId === undefined) {
    const caller = callerClaim(claims, version);
    const detail = `the caller is ${shownClaim(caller)}, expected ${oneOf(expected.callers)} (Event Grid, authentication.callers)`;
    return new Denial(403, "caller", detail);
  }
  const roles = isStrings(claims.roles) ? claims.roles : [];
  if (expected.role !== undefined && !roles.includes(expected.role)) {
    // Neither 401 nor 403: a token issued before the role was assigned lives for an hour or more.
    const detail = `Event Grid's token lacks the role ${expected.role}: assign it to Event Grid's service principal; tokens carry it from their next renewal on`;
    return new Denial(503, "role", detail);
  }
  const objectId = typeof claims.oid === "string" ? claims.oid : undefined;
  return { applicationId, objectId, tenantId: expected.tenantId, roles };
}

/** IDs compare without regard to case, App ID URIs exactly. */
export function lowerCaseId(audience: string): string {
  return uuidRule.test(audience) ? audience.toLowerCase() : audience;
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
