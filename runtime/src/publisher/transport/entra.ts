import type { AccessToken, TokenCredential } from "@azure/core-auth";
import type { Clock } from "../../clock.js";
import {
  type AuthorizationHeader,
  CredentialError,
  credentialFailed,
  type TopicCredentials,
} from "./credentials.js";
import type { SingleFlight } from "./single-flight.js";

/** A token is refreshed this long before it expires, while requests still use it. */
const REFRESH_BEFORE_MS = 2 * 60_000;
/** A token is not used this shortly before it expires: clocks differ, and a request takes time. */
const MIN_REMAINING_MS = 5_000;
/** After a failed refresh the identity service is left alone for this long. */
const REFRESH_RETRY_MS = 3_000;

/** Authenticates with tokens of Entra, which are cached and refreshed early. */
export class EntraCredentials implements TopicCredentials {
  readonly name = "the credential";
  readonly #credential: TokenCredential;
  readonly #scope: string;
  readonly #clock: Clock;
  readonly #flight: SingleFlight<AccessToken>;
  #token: AccessToken | undefined;
  #header: AuthorizationHeader | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;

  /** @param scope of the cloud that the topic is in */
  constructor(
    credential: TokenCredential,
    scope: string,
    clock: Clock,
    flight: SingleFlight<AccessToken>,
  ) {
    this.#credential = credential;
    this.#scope = scope;
    this.#clock = clock;
    this.#flight = flight;
  }

  header(): AuthorizationHeader | Promise<AuthorizationHeader> {
    if (this.#token === undefined || this.#header === undefined) return this.#obtain();
    const now = this.#clock.now();
    const { expiresOnTimestamp, refreshAfterTimestamp = expiresOnTimestamp } = this.#token;
    if (expiresOnTimestamp - MIN_REMAINING_MS <= now) return this.#obtain();
    const refreshAt = Math.min(refreshAfterTimestamp, expiresOnTimestamp - REFRESH_BEFORE_MS);
    if (refreshAt <= now && this.#failedAt + REFRESH_RETRY_MS <= now) {
      // A failure is reported once the token has expired, to the request that then needs another.
      this.#obtain().catch(() => {});
    }
    return this.#header;
  }

  async renew(refused: AuthorizationHeader, challenge = ""): Promise<boolean> {
    // Another request may have been refused earlier, and renewed it.
    if (this.#header !== undefined && this.#header.value !== refused.value) return true;
    const { value } = await this.#obtain(claimsOf(challenge));
    return value !== refused.value;
  }

  async #obtain(claims?: string): Promise<AuthorizationHeader> {
    const token = await this.#flight.run(
      () => this.#getToken(claims),
      (kept) => {
        this.#token = kept;
        this.#header = bearer(kept);
      },
      claims,
    );
    return bearer(token);
  }

  async #getToken(claims: string | undefined): Promise<AccessToken> {
    const options = { enableCae: true, ...(claims !== undefined && { claims }) };
    let token: AccessToken | null;
    try {
      token = await this.#credential.getToken(this.#scope, options);
    } catch (cause) {
      this.#failedAt = this.#clock.now();
      throw credentialFailed(`getToken for ${this.#scope}`, cause);
    }
    if (token !== null) return token;
    throw new CredentialError(`the credential has no token for ${this.#scope}`);
  }
}

function bearer({ token }: AccessToken): AuthorizationHeader {
  return { name: "authorization", value: `Bearer ${token}` };
}

/**
 * The claims that Entra demands of the next token, as JSON.
 * https://learn.microsoft.com/entra/identity-platform/claims-challenge
 */
function claimsOf(challenge: string): string | undefined {
  const encoded = /\bclaims="([^"]+)"/.exec(challenge)?.[1];
  return encoded && Buffer.from(encoded, "base64").toString("utf8");
}
