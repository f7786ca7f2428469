import type { KeyObject } from "node:crypto";
import type { VerifiedCaller } from "../../handling/index.js";
import type { Clock } from "../../time.js";
import type { Exchange } from "../exchange.js";
import {
  acceptedCaller,
  denialBeforeSignature,
  type ExpectedClaims,
  oneOf,
  shown,
  type TokenVersion,
  timeDenial,
  verifiedCaller,
} from "./claims.js";
import { Denial } from "./denial.js";
import type { SigningKeys } from "./signing-keys.js";
import {
  bearerToken,
  type DecodedToken,
  decodeToken,
  isSignedBy,
  type TokenCache,
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
    private readonly keys: SigningKeys,
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
    if (issuer === "metadata-missing") return keysUnavailable;
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
    this.tokenCache.add(token, caller, Number(decoded.claims.exp) * 1000);
    return caller;
  }
}

function otherIssuer(issuer: unknown, names: readonly string[]): Denial {
  const detail = `the token's iss is ${shown(issuer)}, expected ${oneOf(names)} (cloudTenantId, cloudEnvironment, cloudAuthorityHost)`;
  return new Denial(401, "issuer", detail);
}
const unknownKey = new Denial(503, "unknown-key", "the issuer does not publish the token's key");
const unknownKeyOfOther = new Denial(
  401,
  "unknown-key",
  "the token's key is unknown, and its caller is not Event Grid",
);
const badSignature = new Denial(401, "signature", "the token's signature is invalid");
const keysUnavailable = new Denial(503, "keys-unavailable", "the signing keys are unavailable");
