import { randomBytes } from "node:crypto";
import { SignJWT } from "jose";
import type { Application, ServicePrincipal, Tenant } from "../directory/index.js";
import type { SigningKey } from "./signing-keys.js";

/** Claims by name; `undefined` leaves one out. */
export type Claims = Readonly<Record<string, unknown>>;

export interface AccessTokenProps {
  /** Base of the issuer: Entra's address without a trailing slash. */
  readonly authorityHost: string;
  readonly tenant: Tenant;
  /** Who gets the token. */
  readonly caller: ServicePrincipal;
  /** What the `aud` claim says where it is not the application's client ID. */
  readonly audience: string;
  /** The application that the token is for; none for the cloud's own services. */
  readonly resource: Application | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly lifetimeSeconds: number;
}

/** The claims that Entra puts into an application's token: v2 where its receiver asks for it. */
export function accessTokenClaims(props: AccessTokenProps): Claims {
  const { authorityHost, tenant, caller, resource } = props;
  const issuedAt = Math.floor(props.now / 1000);
  const roles = resource ? tenant.rolesOf(caller, resource) : [];
  const either = {
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
      ...either,
      aud: resource.clientId,
      iss: issuerOf(authorityHost, tenant.id, 2),
      azp: caller.clientId,
      azpacr: "1",
      ver: "2.0",
    };
  }
  const issuer = issuerOf(authorityHost, tenant.id, 1);
  return {
    ...either,
    aud: props.audience,
    iss: issuer,
    idp: issuer,
    appid: caller.clientId,
    appidacr: "1",
    ver: "1.0",
  };
}

/**
 * The `iss` claim. In Azure v1 tokens have an issuer of another host; here both live below Entra's
 * address, and differ as the metadata documents say.
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
