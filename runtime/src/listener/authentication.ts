import type { KeyObject } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { bearerToken } from "./bearer.js";
import {
  addressDenial,
  type ExpectedClaims,
  oneOf,
  shown,
  type TokenVersion,
  verifiedCaller,
} from "./claims.js";
import { Denial } from "./denial.js";
import type { VerifiedCaller } from "./event-context.js";
import type { SigningKeys } from "./signing-keys.js";
import { type DecodedToken, decodeToken, isSignedBy } from "./token.js";
import type { VerifiedTokens } from "./verified-tokens.js";

export interface AuthenticatorOptions extends ExpectedClaims {
  readonly keys: SigningKeys;
  readonly verifiedTokens: VerifiedTokens;
  readonly maxTokenLength: number;
  readonly clock: () => number;
}

/** Who calls, or why they are not let in. */
export type Verdict = VerifiedCaller | Denial;

/**
 * Judges the token of a request.
 *
 * The cheap questions come first, so that turning a forgery away costs less than letting a token
 * in; and none but the last two are answered to who has no token of the tenant.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /** A promise only where a key has to be fetched first. */
  authenticate(request: IncomingMessage): Verdict | Promise<Verdict> {
    const { verifiedTokens, keys, maxTokenLength, clock } = this.#options;
    const token = bearerToken(request, maxTokenLength);
    if (token instanceof Denial) return token;
    const now = clock();
    const known = verifiedTokens.get(token, now);
    if (known !== undefined) return known;

    const decoded = decodeToken(token);
    if (decoded instanceof Denial) return decoded;
    const denial = addressDenial(decoded.claims, this.#options, now);
    if (denial !== undefined) return denial;
    const issuer = keys.named(decoded.claims.iss);
    if (issuer === "unknown") return otherIssuer(decoded.claims.iss, keys.names);
    if (issuer === "undecided") return keysUnavailable;
    const key = issuer.key(decoded.keyId);
    if (key !== undefined) return this.#verify(token, decoded, issuer.version, key);
    return issuer
      .fetchKey(decoded.keyId)
      .then((fetched) => this.#verify(token, decoded, issuer.version, fetched));
  }

  #verify(
    token: string,
    decoded: DecodedToken,
    version: TokenVersion,
    key: KeyObject | "unavailable" | undefined,
  ): Verdict {
    if (key === "unavailable") return keysUnavailable;
    if (key === undefined) return unknownKey;
    if (!isSignedBy(key, decoded)) return badSignature;
    const caller = verifiedCaller(decoded.claims, version, this.#options);
    if (caller instanceof Denial) return caller;
    this.#options.verifiedTokens.add(token, caller, Number(decoded.claims.exp) * 1000);
    return caller;
  }
}

function otherIssuer(issuer: unknown, names: readonly string[]): Denial {
  const detail = `the token's iss is ${shown(issuer)}, but must be ${oneOf(names)} (cloudTenantId, cloudEnvironment, cloudAuthorityHost)`;
  return new Denial(401, "issuer", detail);
}
const unknownKey = new Denial(401, "unknown-key", "the issuer has no key of the token's ID");
const badSignature = new Denial(401, "signature", "the token's signature is wrong");
const keysUnavailable = new Denial(503, "keys-unavailable", "the issuer's keys are out of reach");
