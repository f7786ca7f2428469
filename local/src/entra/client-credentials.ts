import { isHttpUrl, withoutEnd, withoutStart } from "../base/index.js";
import type { Application, Directory, ServicePrincipal, Tenant } from "../directory/index.js";

/** Entra's errors by the number after `AADSTS`: the HTTP status and the OAuth error code. */
const ERRORS = {
  70003: [400, "unsupported_grant_type"],
  70011: [400, "invalid_scope"],
  90002: [400, "invalid_request"],
  500011: [400, "invalid_resource"],
  700016: [400, "unauthorized_client"],
  900144: [400, "invalid_request"],
  900561: [400, "invalid_request"],
  1002012: [400, "invalid_scope"],
  7000112: [400, "unauthorized_client"],
  7000215: [401, "invalid_client"],
  7000216: [401, "invalid_client"],
  7000222: [401, "invalid_client"],
} as const;

/** Why Entra refuses a token request. */
export class TokenError extends Error {
  readonly status: 400 | 401;
  readonly #error: string;

  constructor(
    readonly number: keyof typeof ERRORS,
    message: string,
  ) {
    super(message);
    [this.status, this.#error] = ERRORS[number];
  }

  toJSON(now: Date, traceId: string) {
    const timestamp = now.toISOString().replace("T", " ").replace(/\.\d*/, "");
    return {
      error: this.#error,
      error_description: `AADSTS${this.number}: ${this.message} Trace ID: ${traceId} Correlation ID: ${traceId} Timestamp: ${timestamp}`,
      error_codes: [this.number],
      timestamp,
      trace_id: traceId,
      correlation_id: traceId,
    };
  }
}

/** A valid token request of the client credentials grant. */
export interface ClientCredentials {
  readonly tenant: Tenant;
  readonly caller: ServicePrincipal;
  readonly audience: string;
  readonly resource: Application | undefined;
}

/**
 * Checks a token request, for both versions of the endpoint.
 *
 * @param form the fields of the body, with the credentials of a basic `Authorization` header
 * @throws TokenError with Entra's error number
 */
export function checkClientCredentials(
  form: URLSearchParams,
  tenantId: string,
  directory: Directory,
): ClientCredentials {
  const field = (name: string) => {
    const value = form.get(name);
    if (value) return value;
    throw new TokenError(
      900144,
      `The request body must contain the following parameter: '${name}'.`,
    );
  };
  const tenant = directory.tenant(tenantId);
  if (!tenant) {
    throw new TokenError(
      90002,
      `Tenant '${tenantId}' not found. Check to make sure you have the correct tenant ID.`,
    );
  }
  const grant = field("grant_type");
  if (grant !== "client_credentials") {
    throw new TokenError(
      70003,
      `The app requested an unsupported grant type '${grant}'. The local Entra supports client_credentials only.`,
    );
  }
  const clientId = field("client_id");
  const secret = form.get("client_secret");
  if (!secret) {
    throw new TokenError(
      7000216,
      "'client_assertion', 'client_secret' or 'request' is required for the 'client_credentials' grant type.",
    );
  }
  const caller = checkClient(tenant, clientId, secret);
  const audience = form.has("resource")
    ? withoutEnd(field("resource"), "/")
    : audienceOf(field("scope"));
  return { tenant, caller, audience, resource: resourceOf(tenant, audience) };
}

function checkClient(tenant: Tenant, clientId: string, secret: string): ServicePrincipal {
  const caller = tenant.servicePrincipals.byClientId(clientId);
  const check = caller && tenant.checkSecret(clientId, secret);
  if (!caller || !check) {
    throw new TokenError(
      700016,
      `Application with identifier '${clientId}' was not found in the directory '${tenant.id}'.`,
    );
  }
  refuseDisabled(caller);
  if (check === "valid") return caller;
  throw check === "expired"
    ? new TokenError(7000222, `The provided client secret keys for app '${clientId}' are expired.`)
    : new TokenError(
        7000215,
        "Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID.",
      );
}

/**
 * Entra issues no tokens to, or for, a disabled service principal.
 *
 * @throws TokenError
 * @see https://learn.microsoft.com/troubleshoot/entra/entra-id/app-integration/error-code-aadsts7000112-application-is-disabled
 */
export function refuseDisabled({ attributes, clientId }: ServicePrincipal): void {
  if (attributes.accountEnabled !== false) return;
  throw new TokenError(7000112, `Application '${clientId}' is disabled.`);
}

/** Scopes of OpenID Connect, which MSAL for Go sends as well, and which mean nothing without a user. */
const OPENID_SCOPES = ["openid", "profile", "email", "offline_access"];

function audienceOf(scope: string): string {
  const suffix = "/.default";
  const scopes = scope.split(" ").filter((each) => each !== "" && !OPENID_SCOPES.includes(each));
  const [first] = scopes.filter((each) => each.endsWith(suffix));
  if (first === undefined) {
    throw new TokenError(
      1002012,
      `The provided value for scope ${scope} is not valid. Client credential flows must have a scope value with /.default suffixed to the resource identifier (application ID URI).`,
    );
  }
  if (scopes.length > 1) {
    throw new TokenError(
      70011,
      `The provided request must include a 'scope' input parameter. The provided value for the input parameter 'scope' is not valid. The scope ${scope} is not valid.`,
    );
  }
  return withoutEnd(withoutEnd(first, suffix), "/");
}

/**
 * The application that a token is for. An audience that is not an application must be a URL, for a
 * service of the cloud.
 *
 * @throws TokenError for any other audience
 */
export function resourceOf(tenant: Tenant, audience: string): Application | undefined {
  const application = tenant.applications.byClientIdOrUri(withoutStart(audience, "api://"));
  const resource = application ?? tenant.applications.byClientIdOrUri(audience);
  if (resource || isHttpUrl(audience)) return resource;
  throw new TokenError(
    500011,
    `The resource principal named ${audience} was not found in the tenant named ${tenant.id}.`,
  );
}
