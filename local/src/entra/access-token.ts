import { randomBytes } from "node:crypto";
import { SignJWT } from "jose";
import type { Application, ServicePrincipal, Tenant } from "../directory/index.js";
import type { SigningKey } from "./signing-keys.js";

/** Claims by name; one that is `undefined` is left out. */
export type Claims = Readonly<Record<string, unknown>>;

export interface AccessTokenProps {
  /** Entra's address without a trailing slash, with which the issuer begins. */
  readonly authorityHost: string;
  readonly tenant: Tenant;
  /** The principal that gets the token. */
  readonly caller: ServicePrincipal;
  /** The `aud` claim of a v1 token. */
  readonly audience: string;
  /** The application that the token is for; `undefined` for the cloud's own services. */
  readonly resource: Application | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly lifetimeSeconds: number;
}

/** The claims of an application's token: v2 if its receiver requests that version. */
export function accessTokenClaims(props: AccessTokenProps): Claims {
  const { authorityHost, tenant, caller, resource } = props;
  const issuedAt = Math.floor(props.now / 1000);
  const roles = resource ? tenant.rolesOf(caller, resource) : [];
  const sharedClaims = {
    iat: issuedAt,
    nbf: issuedAt,
    exp: issuedAt + props.lifetimeSeconds,
    oid: caller.objectId,
    sub: caller.objectId,
    tid: tenant.id,
    idtyp: "app",
    uti: randomBytes(16).toString("base64url"),
    roles: roles.length > 0 ? roles : undefined,
  };
  if (resource?.requestedAccessTokenVersion === 2) {
    return {
      ...sharedClaims,
      aud: resource.clientId,
      iss: issuerOf(authorityHost, tenant.id, 2),
      azp: caller.clientId,
      azpacr: "1",
      ver: "2.0",
    };
  }
  const issuer = issuerOf(authorityHost, tenant.id, 1);
  return {
    ...sharedClaims,
    aud: props.audience,
    iss: issuer,
    idp: issuer,
    appid: caller.clientId,
    appidacr: "1",
    ver: "1.0",
  };
}

/**
 * The `iss` claim. In Azure the issuer of v1 tokens has another host; here both start with Entra's
 * address. The metadata documents say the same.
 */
export function issuerOf(authorityHost: string, tenantId: string, version: 1 | 2): string {
  return `${authorityHost}/${tenantId}/${version === 2 ? "v2.0" : ""}`;
}

export function signToken(claims: Claims, key: SigningKey, header: Claims = {}): Promise<string> {
  return new SignJWT(without(claims))
    .setProtectedHeader({
      typ: "JWT",
      kid: key.kid,
      x5t: key.kid,
      ...without(header),
      alg: "RS256",
    })
    .sign(key.privateKey);
}

function without(claims: Claims): Record<string, unknown> {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
}
