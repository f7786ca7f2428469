import { createHmac, randomUUID } from "node:crypto";
import { LocalCloudError, nameIn, parameterIn, SECOND_MS, withoutEnd } from "../base/index.js";
import type { ManagedIdentity, Tenant } from "../directory/index.js";
import { type Exchange, isEqualText, type Route, sendEmpty, sendJson } from "../http/index.js";
import { resourceOf, TokenError } from "./client-credentials.js";
import type { Tokens } from "./tokens.js";

const PATH = "/msi/token";
const API_VERSION = "2019-08-01";
const LIFETIME_SECONDS = 24 * 60 * 60;

/** The parameters by which a request names a user-assigned identity, with what they are compared to. */
const NAMES: Readonly<Record<string, (identity: ManagedIdentity) => string>> = {
  client_id: ({ principal }) => principal.clientId,
  principal_id: ({ principal }) => principal.objectId,
  object_id: ({ principal }) => principal.objectId,
  mi_res_id: ({ resourceId }) => resourceId.toLowerCase(),
};

export interface IdentityEndpointOptions {
  readonly tenant: Tenant;
  readonly tokens: Tokens;
  /** Headers are derived from it, so that they survive a restart as the identities do. */
  readonly secret: string;
  /** Address of the HTTP server. */
  readonly origin: string;
}

/**
 * The token endpoint that App Service, Functions and Container Apps give each app. Here one address
 * serves all identities, and the header decides whose token it is.
 *
 * @see https://learn.microsoft.com/azure/app-service/overview-managed-identity#rest-endpoint-reference
 */
export class IdentityEndpoint {
  constructor(private readonly options: IdentityEndpointOptions) {}

  /**
   * The environment variables by which a service gets tokens of an identity.
   *
   * @param name name or resource ID of a user-assigned identity, or of a resource with a
   * system-assigned one
   * @throws LocalCloudError `ERR_UNKNOWN_IDENTITY`
   */
  variables(name: string): Record<string, string> {
    const identity = this.#identity(name);
    return {
      IDENTITY_ENDPOINT: `${this.options.origin}${PATH}`,
      IDENTITY_HEADER: this.#header(identity),
      ...(identity.isUserAssigned ? { AZURE_CLIENT_ID: identity.principal.clientId } : {}),
    };
  }

  /** @param isUnreachable whether Entra is unreachable because of a fault */
  route(isUnreachable: () => boolean): Route {
    return async (exchange) => {
      const { method, url, request, response } = exchange;
      if (method !== "GET" || url.pathname !== PATH) return false;
      const header = String(request.headers["x-identity-header"]);
      const identity = this.#identities().find((each) => isEqualText(header, this.#header(each)));
      if (!identity) sendEmpty(exchange, 403, { "x-correlation-id": randomUUID() });
      else if (isUnreachable()) response.destroy();
      else await this.#sendToken(exchange, identity);
      return true;
    };
  }

  async #sendToken(exchange: Exchange, identity: ManagedIdentity): Promise<void> {
    const { tenant, tokens } = this.options;
    const { principal, resourceId } = identity;
    const query = exchange.url.searchParams;
    const problem = problemOf(query, identity);
    if (problem !== undefined) {
      refuse(exchange, problem);
      return;
    }
    const audience = parameterIn(query, "resource");
    try {
      const resource = resourceOf(tenant, withoutEnd(audience, "/"));
      const isV2 = resource?.requestedAccessTokenVersion === 2;
      const { token, expiresAt } = await tokens.issue({
        tenant,
        caller: principal,
        audience,
        resource,
        lifetimeSeconds: LIFETIME_SECONDS,
        // Signed in with a certificate of the platform.
        claims: { [isV2 ? "azpacr" : "appidacr"]: "2", xms_mirid: resourceId },
      });
      sendJson(exchange, 200, {
        access_token: token,
        expires_on: String(Math.floor(expiresAt / SECOND_MS)),
        resource: audience,
        token_type: "Bearer",
        client_id: principal.clientId,
      });
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      refuse(exchange, `AADSTS${error.number}: ${error.message}`);
    }
  }

  #identities(): ManagedIdentity[] {
    return this.options.tenant.servicePrincipals.managedIdentities();
  }

  #identity(name: string): ManagedIdentity {
    const wanted = name.toLowerCase();
    const all = this.#identities();
    const found = all.filter(({ resourceId }) => {
      const id = resourceId.toLowerCase();
      return id === wanted || nameIn(id) === wanted;
    });
    const [identity, other] = found;
    if (identity && !other) return identity;
    const listed = (identity ? found : all).map(({ resourceId }) => `  - ${resourceId}`);
    const problem = identity
      ? `Several managed identities have the name '${name}'. Use the resource ID of one of them:`
      : `No managed identity has the name '${name}'. Create a user-assigned identity, or a resource with a system-assigned one, for example with Terraform. There are:`;
    throw new LocalCloudError(
      "ERR_UNKNOWN_IDENTITY",
      [problem, ...(listed.length > 0 ? listed : ["  none"])].join("\n"),
    );
  }

  #header({ principal }: ManagedIdentity): string {
    return createHmac("sha256", this.options.secret).update(principal.objectId).digest("hex");
  }
}

/** Returns what is wrong with a request for a token of the identity. */
function problemOf(query: URLSearchParams, identity: ManagedIdentity): string | undefined {
  const version = parameterIn(query, "api-version");
  if (version !== API_VERSION) {
    return `The api-version '${version}' is not supported. Use ${API_VERSION}.`;
  }
  if (!query.get("resource")) return "The parameter 'resource' is missing.";
  const given = Object.entries(NAMES).filter(([parameter]) => query.get(parameter));
  if (given.length > 1) {
    return `The parameters ${given.map(([name]) => name).join(", ")} cannot be combined.`;
  }
  // Without a name it would be a system-assigned identity.
  const [named] = given;
  const isMeant = named
    ? identity.isUserAssigned && query.get(named[0])?.toLowerCase() === named[1](identity)
    : !identity.isUserAssigned;
  return isMeant ? undefined : "Unable to load the proper Managed Identity.";
}

function refuse(exchange: Exchange, message: string): void {
  const correlationId = randomUUID();
  const headers = { "x-correlation-id": correlationId };
  sendJson(exchange, 400, { statusCode: 400, message, correlationId }, headers);
}
