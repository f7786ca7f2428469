import { issuerOf } from "./access-token.js";

/** The OpenID configuration of a tenant, as far as services and daemons read it. */
export function openIdConfiguration(base: string, tenantId: string, version: 1 | 2) {
  const tenant = `${base}/${tenantId}`;
  const oauth2 = version === 2 ? `${tenant}/oauth2/v2.0` : `${tenant}/oauth2`;
  return {
    issuer: issuerOf(base, tenantId, version),
    token_endpoint: `${oauth2}/token`,
    authorization_endpoint: `${oauth2}/authorize`,
    jwks_uri: `${tenant}/discovery/${version === 2 ? "v2.0/keys" : "keys"}`,
    token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
    response_types_supported: ["code", "id_token", "token"],
    response_modes_supported: ["query", "fragment", "form_post"],
    subject_types_supported: ["pairwise"],
    id_token_signing_alg_values_supported: ["RS256"],
    scopes_supported: ["openid"],
    cloud_instance_name: new URL(base).host,
    tenant_region_scope: "WW",
  };
}
