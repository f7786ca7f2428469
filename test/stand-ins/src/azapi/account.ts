import {
  accessToken,
  credentials,
  type Environment,
  httpsSenderFor,
  requireThisMachine,
} from "../cloud/account.js";
import { doing } from "../cloud/refusal.js";
import { ServiceClient } from "../cloud/service-client.js";
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
  signal: AbortSignal,
): Promise<AzapiAccount> {
  const given = credentials(config, environment, { subscription: false });
  const setting = (variable: string): string => {
    const value = environment[variable] ?? "";
    if (value === "") throw new Error(`a stand-in for azapi needs ${variable}`);
    return value;
  };
  const authority = setting("ARM_ACTIVE_DIRECTORY_AUTHORITY_HOST");
  const origin = setting("ARM_RESOURCE_MANAGER_ENDPOINT");
  const audience = setting("ARM_RESOURCE_MANAGER_AUDIENCE");
  if (setting("ARM_DISABLE_INSTANCE_DISCOVERY") !== "true") {
    throw new Error(`azapi would look up ${authority} at login.microsoftonline.com`);
  }
  for (const url of [authority, origin]) requireThisMachine(new URL(url).host, url);
  // MSAL for Go adds the scopes of OpenID Connect to every request.
  const scope = `${audience}/.default openid offline_access profile`;
  const send = httpsSenderFor(environment, signal);
  const token = await doing("building account: could not acquire access token", () =>
    accessToken(send, `${authority}/${given.tenantId}`, given, scope),
  );
  return { resourceManager: new ServiceClient({ origin, send, token, signal }) };
}
