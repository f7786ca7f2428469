import type { AzurermProviderConfig } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import { LocalCloud, type LocalCloudOptions } from "cloud-eventgrid-local";
import {
  type Change,
  type Providers,
  prepareProviders,
  Terraform,
  TerraformFailedError,
} from "../stand-ins/src/index.js";
import { type ShopStack, Synthesis } from "./synthesize.js";
import { startWebhook, type Webhook } from "./webhook.js";
import { source } from "./with-terraform.js";

/** The public name of the webhook, which the local Azure's ingress leads to this machine. */
export const ORIGIN = "https://orders.example.com";

type Control = Exclude<LocalCloudOptions["control"], boolean | undefined>;

/** A local Azure, a webhook, providers and one stack: what a lifecycle happens with. */
export class Scenario {
  /**
   * @param environment - more for the providers than how to reach the cloud.
   * @param clock - the cloud's, which delays of its control plane follow
   */
  static async start(
    control: Control = {},
    environment: Readonly<Record<string, string>> = {},
    clock: "real" | "stepped" = "real",
  ): Promise<Scenario> {
    const webhook = await startWebhook();
    const cloud = await LocalCloud.start({
      control,
      clock,
      ingress: { [ORIGIN]: webhook.origin, "https://new.example.com": webhook.origin },
    });
    const providers = await prepareProviders(source, {
      ...cloud.terraformEnvironment(),
      ...environment,
    });
    return new Scenario(cloud, webhook, providers);
  }

  readonly terraform: Terraform;
  readonly #synthesis = new Synthesis();
  #initialised = false;

  private constructor(
    readonly cloud: LocalCloud,
    readonly webhook: Webhook,
    readonly providers: Providers,
  ) {
    this.terraform = new Terraform({ directory: this.#synthesis.directory, providers });
  }

  /** Where Terraform runs. */
  get directory(): string {
    return this.#synthesis.directory;
  }

  /** The specification's fields that say where the binding is. */
  get place() {
    return {
      cloudTenantId: this.cloud.tenantId,
      cloudSubscriptionId: this.cloud.subscriptionId,
      subscriberEndpoint: `${ORIGIN}/api/events`,
      handshakePort: "9000",
    };
  }

  /** What builds a stack of one binding at the subscription, over an application that exists. */
  orders(cloudClientId: string, changed: object = {}): (stack: ShopStack) => void {
    return (stack) => {
      new CloudEventGridBinding(stack, "orders", {
        ...this.place,
        cloudClientId,
        eventSubscriptionName: "orders",
        scope: `/subscriptions/${this.cloud.subscriptionId}`,
        ...changed,
      });
    };
  }

  /** Synthesizes the stack anew, and gets Terraform ready the first time. */
  async write(
    build: (stack: ShopStack) => void,
    azurerm: Partial<AzurermProviderConfig> = {},
  ): Promise<void> {
    this.#synthesis.write(build, azurerm);
    if (this.#initialised) return;
    await this.terraform.init();
    this.#initialised = true;
  }

  /** What an apply did, as `action type` in a stable order. */
  async apply(): Promise<string[]> {
    return summary((await this.terraform.apply()).changes);
  }

  /** What a plan shows, in the same form. */
  async plan(): Promise<string[]> {
    return summary((await this.terraform.plan()).changes);
  }

  /** What the user reads when an apply fails. */
  async failedApply(): Promise<string> {
    try {
      await this.terraform.apply();
    } catch (error) {
      if (error instanceof TerraformFailedError) return error.message;
      throw error;
    }
    throw new Error("the apply was expected to fail, but went well");
  }

  async stop(): Promise<void> {
    await this.providers.stop();
    await Promise.all([this.cloud.stop(), this.webhook.stop()]);
    this.#synthesis.remove();
  }
}

function summary(changes: readonly Change[]): string[] {
  return changes.map(({ action, type }) => `${action} ${type}`).sort();
}
