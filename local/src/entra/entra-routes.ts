import { randomUUID } from "node:crypto";
import { groupsOf, KIB, parameterIn, SECOND_MS } from "../base/index.js";
import type { Directory } from "../directory/index.js";
import {
  basicCredentials,
  decoded,
  type Exchange,
  type Route,
  readBody,
  sendJson,
} from "../http/index.js";
import { checkClientCredentials, TokenError } from "./client-credentials.js";
import type { SigningKeys } from "./signing-keys.js";
import { issuerOf, type Tokens } from "./tokens.js";

export interface Entra {
  readonly directory: Directory;
  readonly keys: SigningKeys;
  readonly tokens: Tokens;
  readonly now: () => number;
  /** Whether Entra is unreachable because of a fault. */
  readonly isUnreachable: () => boolean;
}

const MAX_FORM_BYTES = 64 * KIB;

/** `/{tenant}/…`: OpenID metadata, keys and tokens of version 1 and 2. */
export function entraRoute(entra: Entra): Route {
  return async (exchange) => {
    const { url, method, origin } = exchange;
    if (url.pathname === "/common/discovery/instance") {
      sendJson(exchange, 200, instanceDiscovery(exchange));
      return true;
    }
    const [tenantId, document] = groupsOf(
      /^\/([^/]+)\/(v2\.0\/\.well-known\/openid-configuration|\.well-known\/openid-configuration|discovery\/(?:v2\.0\/)?keys|oauth2\/(?:v2\.0\/)?token)$/,
      url.pathname,
    );
    if (tenantId === "") return false;
    if (entra.isUnreachable()) {
      exchange.response.destroy();
      return true;
    }
    if (document.endsWith("token") && method !== "OPTIONS") {
      const version = document.includes("v2.0") ? 2 : 1;
      if (method === "POST") await sendToken(exchange, tenantId, version, entra);
      else sendTokenError(exchange, wrongMethod(method), entra);
    } else if (method !== "GET" || !isAuthority(tenantId, entra)) {
      return false;
    } else if (document.endsWith("keys")) {
      sendJson(exchange, 200, { keys: await entra.keys.published() });
    } else {
      const version = document.startsWith("v2.0") ? 2 : 1;
      sendJson(exchange, 200, openIdConfiguration(origin, tenantId.toLowerCase(), version));
    }
    return true;
  };
}

/** Authorities for any tenant, which clients use before they know the tenant. */
const MULTI_TENANT = ["common", "organizations", "consumers"];

function isAuthority(tenantId: string, { directory }: Entra): boolean {
  return MULTI_TENANT.includes(tenantId.toLowerCase()) || directory.tenant(tenantId) !== undefined;
}

async function sendToken(
  exchange: Exchange,
  tenantId: string,
  version: 1 | 2,
  entra: Entra,
): Promise<void> {
  const body = await readBody(exchange.request, MAX_FORM_BYTES);
  const form = new URLSearchParams(body?.toString("utf8"));
  // Clients should percent-encode ID and secret, but not all do.
  const [id, secret] = basicCredentials(exchange.request.headers.authorization).map(decoded);
  if (id && !form.has("client_id")) form.set("client_id", id);
  if (secret && !form.has("client_secret")) form.set("client_secret", secret);
  try {
    const granted = checkClientCredentials(form, tenantId, entra.directory);
    const issued = await entra.tokens.issue({
      ...granted,
      authorityHost: exchange.origin,
      lifetimeSeconds: 3599,
    });
    const { lifetimeSeconds, token } = issued;
    const expiresOn = Math.floor(issued.expiresAt / SECOND_MS);
    // Version 1 has more fields, and writes its numbers as texts.
    const lifetime =
      version === 2
        ? { expires_in: lifetimeSeconds, ext_expires_in: lifetimeSeconds }
        : {
            expires_in: `${lifetimeSeconds}`,
            ext_expires_in: `${lifetimeSeconds}`,
            expires_on: `${expiresOn}`,
            not_before: `${expiresOn - lifetimeSeconds}`,
            resource: granted.audience,
          };
    sendJson(exchange, 200, { token_type: "Bearer", ...lifetime, access_token: token });
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    sendTokenError(exchange, error, entra);
  }
}

function wrongMethod(method: string): TokenError {
  return new TokenError(
    900561,
    `The endpoint only accepts POST, OPTIONS requests. Received a ${method} request.`,
  );
}

function sendTokenError(exchange: Exchange, error: TokenError, { now }: Entra): void {
  sendJson(exchange, error.status, error.toJSON(new Date(now()), randomUUID()));
}

/** The document by which Microsoft's client libraries decide whether to trust an authority. */
function instanceDiscovery({ url, origin }: Exchange) {
  const authority = parameterIn(url.searchParams, "authorization_endpoint");
  const tenant = URL.canParse(authority) ? new URL(authority).pathname.split("/")[1] : "common";
  const { host } = new URL(origin);
  return {
    tenant_discovery_endpoint: `${origin}/${tenant}/v2.0/.well-known/openid-configuration`,
    "api-version": "1.1",
    metadata: [{ preferred_network: host, preferred_cache: host, aliases: [host] }],
  };
}

/** The OpenID configuration of a tenant, with the fields that services and daemons read. */
function openIdConfiguration(base: string, tenantId: string, version: 1 | 2) {
  const tenant = `${base}/${tenantId}`;
  const oauth2 = version === 2 ? `${tenant}/oauth2/v2.0` : `${tenant}/oauth2`;
  return {
    issuer: issuerOf(base, MULTI_TENANT.includes(tenantId) ? "{tenantid}" : tenantId, version),
    token_endpoint: `${oauth2}/token`,
    authorization_endpoint: `${oauth2}/authorize`,
    jwks_uri: `${tenant}/discovery/${version === 2 ? "v2.0/keys" : "keys"}`,
    token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
    response_types_supported:
      version === 2
        ? ["code", "id_token", "code id_token", "id_token token"]
        : ["code", "id_token", "code id_token", "token id_token", "token"],
    response_modes_supported: ["query", "fragment", "form_post"],
    subject_types_supported: ["pairwise"],
    id_token_signing_alg_values_supported: ["RS256"],
    scopes_supported: version === 2 ? ["openid", "profile", "email", "offline_access"] : ["openid"],
    cloud_instance_name: new URL(base).host,
    tenant_region_scope: "WW",
  };
}
