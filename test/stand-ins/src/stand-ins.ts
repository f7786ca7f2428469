import { azapi } from "./azapi/azapi.js";
import { azuread } from "./azuread/azuread.js";
import { azurerm } from "./azurerm/azurerm.js";
import type { Environment } from "./cloud/account.js";
import { reattachment, serve } from "./protocol/server.js";

export interface StandInOptions {
  /**
   * The environment variables with which the real providers would reach a local Azure:
   * `ARM_METADATA_HOSTNAME`, `ARM_TENANT_ID`, `ARM_SUBSCRIPTION_ID`, `ARM_CLIENT_ID`,
   * `ARM_CLIENT_SECRET` and `SSL_CERT_FILE`; azapi needs those that name its services as well.
   */
  readonly environment: Environment;
}

/** Stand-ins that run in this process. */
export interface StandIns {
  /** The environment variables that make Terraform use them. */
  readonly environment: Readonly<Record<"TF_REATTACH_PROVIDERS", string>>;
  stop(): void;
}

/**
 * Starts stand-ins for `hashicorp/azurerm`, `hashicorp/azuread` and `Azure/azapi`. They serve the
 * schemas of real releases over Terraform's plugin protocol, and act on a local Azure over its HTTPS,
 * as the real providers would. They are not the real providers: resource types that the local Azure
 * does not serve exist in memory only.
 */
export async function startStandIns({ environment }: StandInOptions): Promise<StandIns> {
  const served = [
    await serve(azurerm(environment)),
    await serve(azuread(environment)),
    await serve(azapi(environment)),
  ];
  return {
    environment: { TF_REATTACH_PROVIDERS: reattachment(served) },
    stop: () => {
      for (const each of served) each.stop();
    },
  };
}
