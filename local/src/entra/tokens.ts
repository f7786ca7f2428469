import { decodeProtectedHeader, jwtVerify } from "jose";
import * as v from "valibot";
import { anyObject, checkOptions, expected, LocalCloudError, number, text } from "../base/index.js";
import {
  type Application,
  type Directory,
  EVENT_GRID_CLIENT_ID,
  type ServicePrincipal,
  type Tenant,
} from "../directory/index.js";
import { accessTokenClaims, type Claims, signToken } from "./access-token.js";
import type { SigningKeys } from "./signing-keys.js";

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
    return this.issue({ ...options, tenant, resource, caller, audience: options.clientId });
  }

  /** A token for any caller and audience, as the token endpoint issues it. */
  async issue(props: {
    readonly tenant: Tenant;
    readonly caller: ServicePrincipal;
    readonly audience: string;
    readonly resource: Application | undefined;
    readonly authorityHost?: string | undefined;
    readonly lifetimeSeconds?: number | undefined;
    readonly claims?: Claims | undefined;
    readonly header?: Claims | undefined;
  }): Promise<IssuedToken> {
    const { random, keys } = this.entra;
    const now = this.entra.now();
    const lifetimeSeconds =
      props.lifetimeSeconds ??
      MIN_LIFETIME_S + Math.floor(random() * (MAX_LIFETIME_S - MIN_LIFETIME_S));
    const claims = accessTokenClaims({
      ...props,
      authorityHost: props.authorityHost ?? this.entra.authorityHost,
      now,
      lifetimeSeconds,
    });
    const token = await signToken(
      { ...claims, ...props.claims },
      await keys.current(),
      props.header,
    );
    return { token, lifetimeSeconds, expiresAt: now + lifetimeSeconds * 1000 };
  }

  /**
   * The claims of a token that this Entra signed and that has not expired; otherwise `undefined`.
   * The receiver must check the audience.
   */
  async verify(token: string): Promise<Claims | undefined> {
    try {
      const key = await this.entra.keys.byId(String(decodeProtectedHeader(token).kid));
      if (!key) return undefined;
      const currentDate = new Date(this.entra.now());
      const options = { algorithms: ["RS256"], currentDate };
      return (await jwtVerify(token, key.publicKey, options)).payload;
    } catch {
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
