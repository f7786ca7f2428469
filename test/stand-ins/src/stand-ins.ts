import { azapi } from "./azapi/azapi.js";
import { azuread } from "./azuread/azuread.js";
import { azurerm } from "./azurerm/azurerm.js";
import type { AzurermRelease } from "./azurerm/releases.js";
import type { Environment } from "./cloud/account.js";
import { serve } from "./protocol/server.js";

export interface StandInOptions {
  /**
   * The environment variables with which the real providers would reach a local Azure:
   * `ARM_METADATA_HOSTNAME`, `ARM_TENANT_ID`, `ARM_SUBSCRIPTION_ID`, `ARM_CLIENT_ID`,
   * `ARM_CLIENT_SECRET` and `SSL_CERT_FILE`; azapi needs those that name its services as well.
   */
  readonly environment: Environment;
  /** @default "4.55.0" */
  readonly azurerm?: AzurermRelease | undefined;
}

/** Stand-ins that run in this process. */
export interface StandIns {
  /** Makes Terraform attach to them, so that it does not download, start or stop providers. */
  readonly environment: Readonly<Record<"TF_REATTACH_PROVIDERS", string>>;
  stop(): void;
}

/**
 * Starts stand-ins for `hashicorp/azurerm`, `hashicorp/azuread` and `Azure/azapi`. They serve the
 * schemas of real releases over Terraform's plugin protocol, and act on a local Azure over its HTTPS,
 * as the real providers would. They are not the real providers: resource types that the local Azure
 * does not serve exist in memory only.
 */
export async function startStandIns({
  environment,
  azurerm: release = "4.55.0",
}: StandInOptions): Promise<StandIns> {
  const providers = [azurerm(environment, release), azuread(environment), azapi(environment)];
  const served = await Promise.all(providers.map(serve));
  const attached = providers.map(({ source }, index) => [source, served[index]?.attachment]);
  return {
    environment: { TF_REATTACH_PROVIDERS: JSON.stringify(Object.fromEntries(attached)) },
    stop: () => {
      for (const each of served) each.stop();
    },
  };
}
