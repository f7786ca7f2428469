import { azuread } from "./azuread/azuread.js";
import { azurerm } from "./azurerm/azurerm.js";
import type { Environment } from "./cloud/account.js";
import { reattachment, serve } from "./protocol/server.js";

export interface StandInOptions {
  /**
   * What the real providers would read from the environment to reach a local Azure:
   * `ARM_METADATA_HOSTNAME`, `ARM_TENANT_ID`, `ARM_SUBSCRIPTION_ID`, `ARM_CLIENT_ID`,
   * `ARM_CLIENT_SECRET` and `SSL_CERT_FILE`.
   */
  readonly environment: Environment;
  /** Milliseconds between two looks at something that is still going on. @default 100 */
  readonly interval?: number;
  /** Milliseconds after which waiting is given up. @default 60_000 */
  readonly patience?: number;
}

/** Stand-ins that run in this process. */
export interface StandIns {
  /** What a Terraform program needs in its environment to use them. */
  readonly environment: Readonly<Record<"TF_REATTACH_PROVIDERS", string>>;
  stop(): void;
}

/**
 * Starts stand-ins for `hashicorp/azurerm` and `hashicorp/azuread`. They serve the schemas of real
 * releases over Terraform's plugin protocol, and act on a local Azure over its HTTPS, as the real
 * providers would. They are not the real providers: what those do beyond the resources of an Event
 * Grid binding is only imitated, in memory.
 */
export async function startStandIns(options: StandInOptions): Promise<StandIns> {
  const { environment, interval = 100, patience = 60_000 } = options;
  const pace = { interval, patience };
  const served = [await serve(azurerm(environment, pace)), await serve(azuread(environment, pace))];
  return {
    environment: { TF_REATTACH_PROVIDERS: reattachment(served) },
    stop: () => {
      for (const each of served) each.stop();
    },
  };
}
