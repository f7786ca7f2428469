import {
  accessToken,
  type Environment,
  httpsSenderFor,
  requireThisMachine,
} from "../cloud/account.js";
import type { Polling } from "../cloud/polling.js";
import { doing } from "../cloud/refusal.js";
import { ServiceClient } from "../cloud/service-client.js";
import { text } from "../provider/provider.js";
import type { Attributes } from "../values/value.js";

/** A signed-in service principal. */
export interface AzapiAccount {
  readonly resourceManager: ServiceClient;
}

/**
 * Signs in with a client secret. Unlike azurerm, azapi ignores `ARM_METADATA_HOSTNAME`: it needs the
 * addresses of the cloud itself, and has to be told not to ask the public cloud about the authority.
 */
export async function signIn(
  config: Attributes,
  environment: Environment,
  polling: Polling,
): Promise<AzapiAccount> {
  const setting = (attribute: string, variable: string): string => {
    const value = text(config, attribute) || (environment[variable] ?? "");
    if (value === "") throw new Error(`a stand-in for azapi needs ${variable}`);
    return value;
  };
  const credentials = {
    tenantId: setting("tenant_id", "ARM_TENANT_ID"),
    clientId: setting("client_id", "ARM_CLIENT_ID"),
    clientSecret: setting("client_secret", "ARM_CLIENT_SECRET"),
  };
  const authority = setting("", "ARM_ACTIVE_DIRECTORY_AUTHORITY_HOST");
  const origin = setting("", "ARM_RESOURCE_MANAGER_ENDPOINT");
  const audience = setting("", "ARM_RESOURCE_MANAGER_AUDIENCE");
  if (setting("", "ARM_DISABLE_INSTANCE_DISCOVERY") !== "true") {
    throw new Error(`azapi would look up ${authority} at login.microsoftonline.com`);
  }
  requireThisMachine(new URL(authority).host, "ARM_ACTIVE_DIRECTORY_AUTHORITY_HOST");
  requireThisMachine(new URL(origin).host, "ARM_RESOURCE_MANAGER_ENDPOINT");
  // MSAL for Go adds the scopes of OpenID Connect to every request.
  const scope = `${audience}/.default openid offline_access profile`;
  const send = httpsSenderFor(environment, polling);
  const token = await doing("building account: could not acquire access token", () =>
    accessToken(send, `${authority}/${credentials.tenantId}`, credentials, scope),
  );
  return { resourceManager: new ServiceClient({ origin, send, token, polling }) };
}
