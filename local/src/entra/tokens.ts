import { randomBytes } from "node:crypto";
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from "jose";
import * as v from "valibot";
import {
  anyObject,
  checkOptions,
  expected,
  field,
  LocalCloudError,
  listAt,
  MINUTE_MS,
  number,
  SECOND_MS,
  text,
} from "../base/index.js";
import {
  type Application,
  type Directory,
  EVENT_GRID_CLIENT_ID,
  type ServicePrincipal,
  type Tenant,
} from "../directory/index.js";
import { refuseDisabled } from "./client-credentials.js";
import type { SigningKey, SigningKeys } from "./signing-keys.js";

export interface DeliveryTokenOptions {
  /** Client ID or identifier URI of the application that protects the webhook. */
  readonly clientId: string;
  /** @default the cloud's tenant */
  readonly tenantId?: string | undefined;
  /** @default a random time from 60 to 90 minutes, as in Entra */
  readonly lifetimeSeconds?: number | undefined;
  /** Claims that replace Entra's; `undefined` removes a claim. */
  readonly claims?: Claims | undefined;
  /** Fields that replace those of the token's header. The algorithm cannot be replaced. */
  readonly header?: Claims | undefined;
}

export interface IssuedToken {
  readonly token: string;
  readonly lifetimeSeconds: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Other fields are allowed: callers may pass a `RegisteredApplication`. */
const deliveryToken = v.object(
  {
    clientId: text,
    tenantId: v.optional(text),
    lifetimeSeconds: v.optional(number),
    claims: v.optional(anyObject),
    header: v.optional(anyObject),
  },
  (issue) => (issue.path ? "is missing" : expected("an object")(issue)),
);

const MIN_LIFETIME_S = 3600;
const MAX_LIFETIME_S = 5400;

/** Issues and verifies Entra's access tokens. */
export class Tokens {
  constructor(
    private readonly entra: {
      readonly directory: Directory;
      readonly keys: SigningKeys;
      /** Known once the server listens. */
      readonly authorityHost: string;
      readonly defaultTenantId: string;
      readonly now: () => number;
      readonly random: () => number;
    },
  ) {}

  /**
   * A token as Event Grid sends it with a delivery. Override claims to get one that is expired, for
   * another audience, or forged in another way.
   *
   * @throws LocalCloudError `ERR_UNKNOWN_APPLICATION`, `ERR_UNKNOWN_TENANT`, `ERR_OPTIONS`
   */
  async delivery(options: DeliveryTokenOptions): Promise<string> {
    checkOptions(deliveryToken, options, "Invalid options of a token");
    return (await this.issueDelivery(options)).token;
  }

  /** @internal with the expiry, for caches */
  async issueDelivery(options: DeliveryTokenOptions): Promise<IssuedToken> {
    const tenant = this.#tenant(options.tenantId);
    const resource = tenant.applications.byClientIdOrUri(options.clientId);
    if (!resource) throw unknownApplication(options.clientId, tenant.id);
    const caller = tenant.servicePrincipals.byClientId(EVENT_GRID_CLIENT_ID);
    if (!caller) throw unknownApplication(EVENT_GRID_CLIENT_ID, tenant.id);
    const own = tenant.servicePrincipals.byClientId(resource.clientId);
    for (const principal of own ? [caller, own] : [caller]) refuseDisabled(principal);
    return this.issue({ ...options, tenant, resource, caller, audience: options.clientId });
  }

  /** A token for any caller and audience, as the token endpoint issues it. */
  async issue(request: TokenRequest): Promise<IssuedToken> {
    const { random, keys, authorityHost } = this.entra;
    const now = this.entra.now();
    const lifetimeSeconds =
      request.lifetimeSeconds ??
      MIN_LIFETIME_S + Math.floor(random() * (MAX_LIFETIME_S - MIN_LIFETIME_S));
    const issuedAt = Math.floor(now / SECOND_MS);
    const claims = {
      iat: issuedAt,
      nbf: issuedAt,
      exp: issuedAt + lifetimeSeconds,
      ...claimsOf(request, request.authorityHost ?? authorityHost),
      ...request.claims,
    };
    const token = await signToken(claims, await keys.current(), request.header);
    return { token, lifetimeSeconds, expiresAt: now + lifetimeSeconds * SECOND_MS };
  }

  /**
   * The claims of a token that this Entra signed and that has not expired; otherwise `undefined`.
   * The receiver must check the audience.
   */
  async verify(token: string, onExpired?: () => never): Promise<Claims | undefined> {
    try {
      const key = await this.entra.keys.byId(String(decodeProtectedHeader(token).kid));
      if (!key) return undefined;
      const currentDate = new Date(this.entra.now());
      const options = { algorithms: ["RS256"], currentDate };
      return (await jwtVerify(token, key.publicKey, options)).payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) onExpired?.();
      return undefined;
    }
  }

  #tenant(tenantId = this.entra.defaultTenantId): Tenant {
    const tenant = this.entra.directory.tenant(tenantId);
    if (tenant) return tenant;
    throw new LocalCloudError(
      "ERR_UNKNOWN_TENANT",
      `Unknown tenant ${tenantId}. This cloud has: ${this.entra.directory
        .tenants()
        .map(({ id }) => id)
        .join(", ")}.`,
    );
  }
}

function unknownApplication(clientId: string, tenantId: string): LocalCloudError {
  return new LocalCloudError(
    "ERR_UNKNOWN_APPLICATION",
    `Tenant ${tenantId} has no application ${clientId}. Create it with cloud.applications.create({ clientId: "${clientId}", … }).`,
  );
}

/** Claims by name; one that is `undefined` is left out. */
export type Claims = Readonly<Record<string, unknown>>;

interface TokenRequest {
  readonly tenant: Tenant;
  /** The principal that gets the token. */
  readonly caller: ServicePrincipal;
  /** The `aud` claim of a v1 token. */
  readonly audience: string;
  /** The application that the token is for; `undefined` for the cloud's own services. */
  readonly resource: Application | undefined;
  /** Entra's address without a trailing slash, with which the issuer begins. @default the cloud's */
  readonly authorityHost?: string | undefined;
  readonly lifetimeSeconds?: number | undefined;
  readonly claims?: Claims | undefined;
  readonly header?: Claims | undefined;
}

/**
 * Whether an application has chosen an optional claim for the tokens that it receives. Azure's own
 * services have theirs without that.
 *
 * @see https://learn.microsoft.com/entra/identity-platform/optional-claims-reference
 */
function asksFor({ attributes }: Application, claim: string): boolean {
  return listAt(attributes, "optionalClaims", "accessToken").some(
    (each) => field(each, "name") === claim,
  );
}

/** The claims of an application's token: v2 if its receiver requests that version. */
function claimsOf(request: TokenRequest, authorityHost: string): Claims {
  const { tenant, caller, audience, resource } = request;
  const roles = resource ? tenant.rolesOf(caller, resource) : [];
  const sharedClaims = {
    oid: caller.objectId,
    sub: caller.objectId,
    tid: tenant.id,
    idtyp: !resource || asksFor(resource, "idtyp") ? "app" : undefined,
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
    aud: audience,
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

function signToken(claims: Claims, key: SigningKey, header: Claims = {}): Promise<string> {
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

/** A token is replaced this long before it expires. */
const RENEWAL_MS = 5 * MINUTE_MS;

/** The token for the deliveries of one subscription, cached until shortly before it expires. */
export class DeliveryTokens {
  #token: Promise<IssuedToken> | undefined;
  /** One string for all deliveries, since the latest are kept with their headers. */
  #header = { token: "", value: "" };

  constructor(
    private readonly tokens: Tokens,
    /** The wall clock, which tokens follow. */
    private readonly now: () => number,
  ) {}

  /** The header with the token; empty if no application protects the webhook. */
  async authorization({
    clientId,
    tenantId,
  }: {
    readonly clientId: string | undefined;
    readonly tenantId: string;
  }): Promise<Record<string, string>> {
    if (clientId === undefined) return {};
    const { token } = await this.#current(clientId, tenantId);
    if (this.#header.token !== token) this.#header = { token, value: `Bearer ${token}` };
    return { authorization: this.#header.value };
  }

  forget(): void {
    this.#token = undefined;
  }

  async #current(clientId: string, tenantId: string): Promise<IssuedToken> {
    const before = this.#token;
    const cached = await before?.catch(() => undefined);
    if (cached && this.now() + RENEWAL_MS <= cached.expiresAt) return cached;
    // Concurrent deliveries share the new token; a failed one is not cached.
    if (this.#token === before) this.#token = undefined;
    this.#token ??= this.tokens.issueDelivery({ clientId, tenantId });
    return this.#token;
  }
}
