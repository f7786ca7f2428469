import { decodeProtectedHeader, jwtVerify } from "jose";
import { checkOptions } from "../check-options.js";
import {
  type Application,
  type Directory,
  EVENT_GRID_CLIENT_ID,
  type ServicePrincipal,
  type Tenant,
} from "../directory/index.js";
import { LocalCloudError } from "../errors.js";
import { anyObject, number, object, text } from "../shape.js";
import { accessTokenClaims, type Claims, signToken } from "./access-token.js";
import type { SigningKeys } from "./signing-keys.js";

export interface DeliveryTokenOptions {
  /** Client ID or identifier URI of the application that protects the webhook. */
  readonly clientId: string;
  /** @default the cloud's tenant */
  readonly tenantId?: string | undefined;
  /** @default 60 to 90 minutes, drawn at random as Entra does */
  readonly lifetimeSeconds?: number | undefined;
  /** Claims that replace what Entra would write; `undefined` leaves a claim out. */
  readonly claims?: Claims | undefined;
  /** Fields that replace those of the token's header, except the algorithm. */
  readonly header?: Claims | undefined;
}

export interface IssuedToken {
  readonly token: string;
  readonly lifetimeSeconds: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** What `applications.create` gives is handed on as it is. */
const deliveryToken = object(
  { clientId: text },
  { tenantId: text, lifetimeSeconds: number, claims: anyObject, header: anyObject },
  { others: true },
);

const SHORTEST_LIFETIME_S = 3600;
const LONGEST_LIFETIME_S = 5400;

/** The access tokens that Entra gives out. */
export class Tokens {
  constructor(
    private readonly entra: {
      readonly directory: Directory;
      readonly keys: SigningKeys;
      /** Known once the server listens. */
      readonly authorityHost: () => string;
      readonly defaultTenantId: string;
      readonly now: () => number;
      readonly random: () => number;
    },
  ) {}

  /**
   * A token as Event Grid sends it with a delivery. Override claims to make one that is expired,
   * meant for somebody else, or forged in some other way.
   *
   * @throws LocalCloudError `ERR_UNKNOWN_APPLICATION`, `ERR_UNKNOWN_TENANT`, `ERR_OPTIONS`
   */
  async delivery(options: DeliveryTokenOptions): Promise<string> {
    checkOptions(deliveryToken, options, "A token cannot be made with these options");
    return (await this.issueDelivery(options)).token;
  }

  /** @internal also tells when it ends, for whoever keeps it */
  async issueDelivery(options: DeliveryTokenOptions): Promise<IssuedToken> {
    const tenant = this.#tenant(options.tenantId);
    const resource = tenant.applications.byClientIdOrUri(options.clientId);
    if (!resource) throw unknownApplication(options.clientId, tenant.id);
    const caller = tenant.servicePrincipals.byClientId(EVENT_GRID_CLIENT_ID);
    if (!caller) throw unknownApplication(EVENT_GRID_CLIENT_ID, tenant.id);
    return this.issue({ ...options, tenant, resource, caller, audience: options.clientId });
  }

  /** A token for any caller and receiver, as the token endpoint gives them. */
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
      SHORTEST_LIFETIME_S + Math.floor(random() * (LONGEST_LIFETIME_S - SHORTEST_LIFETIME_S));
    const claims = accessTokenClaims({
      ...props,
      authorityHost: props.authorityHost ?? this.entra.authorityHost(),
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
   * The claims of a token that this Entra signed and that is not expired; `undefined` for any other.
   * Whom it is for is the receiver's to check.
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
      `There is no tenant ${tenantId}. This cloud has: ${this.entra.directory
        .tenants()
        .map(({ id }) => id)
        .join(", ")}.`,
    );
  }
}

function unknownApplication(clientId: string, tenantId: string): LocalCloudError {
  return new LocalCloudError(
    "ERR_UNKNOWN_APPLICATION",
    `Tenant ${tenantId} knows no application ${clientId}. Make it with cloud.applications.create({ clientId: "${clientId}", … }).`,
  );
}
