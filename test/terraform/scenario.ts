import type { AzurermProviderConfig } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import { LocalCloud, type LocalCloudOptions } from "cloud-eventgrid-local";
import { signIn } from "../local/support/management-client.js";
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

/** A local Azure, a webhook, providers and one stack. */
export class Scenario {
  /**
   * @param environment - additional environment variables for the providers.
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

  get tenant(): ReturnType<LocalCloud["directory"]["createTenant"]> {
    const tenant = this.cloud.directory.tenant(this.cloud.tenantId);
    if (tenant === undefined) throw new Error("the cloud has a tenant");
    return tenant;
  }

  /** Where Terraform runs. */
  get directory(): string {
    return this.#synthesis.directory;
  }

  /** The fields of the specification that locate the binding. */
  get place() {
    return {
      cloudTenantId: this.cloud.tenantId,
      cloudSubscriptionId: this.cloud.subscriptionId,
      subscriberEndpoint: `${ORIGIN}/api/events`,
      handshakePort: "9000",
    };
  }

  /**
   * A function that adds a binding at the subscription to a stack, with an existing application.
   */
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

  /** Creates the resource group of a stack that expects it. */
  async createGroup(name = "shop"): Promise<void> {
    const call = await signIn(this.cloud);
    const id = `/subscriptions/${this.cloud.subscriptionId}/resourceGroups/${name}`;
    await call("PUT", id, { location: "westeurope" });
  }

  /** Synthesizes the stack, and initializes Terraform the first time. */
  async write(
    build: (stack: ShopStack) => void,
    azurerm: Partial<AzurermProviderConfig> = {},
  ): Promise<void> {
    this.#synthesis.write(build, azurerm);
    if (this.#initialised) return;
    await this.terraform.init();
    this.#initialised = true;
  }

  /** Applies. Returns the changes as `action type`, sorted. */
  async apply(): Promise<string[]> {
    return summary((await this.terraform.apply()).changes);
  }

  /** Plans. Returns the changes in the same form. */
  async plan(): Promise<string[]> {
    return summary((await this.terraform.plan()).changes);
  }

  /** The error message of an apply that must fail. */
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
    await Promise.all([this.cloud.close(), this.webhook.stop()]);
    this.#synthesis.remove();
  }
}

function summary(changes: readonly Change[]): string[] {
  return changes.map(({ action, type }) => `${action} ${type}`).sort();
}
