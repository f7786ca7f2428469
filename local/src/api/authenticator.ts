import type { Directory } from "../directory/index.js";
import type { Claims } from "../entra/index.js";

/** The caller of a management service, read from its bearer token. */
export interface Caller {
  readonly tenantId: string;
  /** Object ID of the service principal. */
  readonly objectId: string;
  readonly clientId: string;
}

/** Finds the caller by a bearer token. Throws when the token is not valid for the service. */
export type Authenticate = (token: string) => Promise<Caller>;

/**
 * Accepts tokens that this cloud's Entra signed for the cloud's own services. These have many
 * names, so any audience is accepted except an application of the tenant.
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
