import type { Directory } from "../directory/index.js";
import type { Claims } from "../entra/index.js";
import type { Authenticate } from "./caller.js";

/**
 * Tells whom a bearer token speaks for: one that this cloud's Entra signed, for no application of
 * the tenant. The services of the cloud itself go by many names, so any other audience is theirs.
 */
export function authenticator(
  verify: (token: string) => Promise<Claims | undefined>,
  directory: Directory,
): Authenticate {
  return async (token) => {
    const claims = await verify(token);
    if (!claims) {
      throw new TypeError(
        "The access token is invalid: not signed by this cloud's Entra, or expired.",
      );
    }
    const tenantId = String(claims.tid);
    const audience = String(claims.aud);
    if (directory.tenant(tenantId)?.applications.byClientIdOrUri(audience)) {
      throw new TypeError(
        `The access token has been obtained for the wrong audience '${audience}'.`,
      );
    }
    const clientId = String(claims.appid ?? claims.azp);
    return { tenantId, objectId: String(claims.oid), clientId };
  };
}
