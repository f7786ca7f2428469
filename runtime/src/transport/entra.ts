import type { AccessToken, TokenCredential } from "@azure/core-auth";
import { CredentialError, type Credentials, credentialFailed } from "./credentials.js";
import { type CacheOptions, HeaderCache } from "./header-cache.js";

/** A token is refreshed this long before it expires, while requests still use it. */
const REFRESH_BEFORE_MS = 2 * 60_000;
/** A token is not used this shortly before it expires: clocks differ, and a request takes time. */
const UNUSED_BEFORE_MS = 5_000;

/**
 * Authenticates with tokens of Entra.
 *
 * @param scope of the cloud that the topic is in
 */
export function entra(
  credential: TokenCredential,
  scope: string,
  cache: CacheOptions,
): Credentials {
  const obtain = async (claims?: string) => {
    const options = { enableCae: true, ...(claims !== undefined && { claims }) };
    let token: AccessToken | null;
    try {
      token = await credential.getToken(scope, options);
    } catch (cause) {
      throw credentialFailed(`getToken for ${scope}`, cause);
    }
    if (token === null) throw new CredentialError(`the credential has no token for ${scope}`);
    const { expiresOnTimestamp, refreshAfterTimestamp = expiresOnTimestamp } = token;
    return {
      name: "authorization",
      value: `Bearer ${token.token}`,
      expiresAt: expiresOnTimestamp - UNUSED_BEFORE_MS,
      refreshAt: Math.min(refreshAfterTimestamp, expiresOnTimestamp - REFRESH_BEFORE_MS),
    };
  };
  return new HeaderCache("the credential", obtain, cache);
}
