import type { AzurermProviderConfig } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { DataResource, Token } from "cdktf";
import {
  CloudEventGridBinding,
  type CloudEventGridBindingProps,
  CloudEventGridTopic,
  type CloudEventGridTopicProps,
  WebhookApplication,
} from "cloud-eventgrid-binding";
import { LocalCloud, type LocalCloudOptions } from "cloud-eventgrid-local";
import { expect } from "vitest";
import { signIn } from "../local/support/management-client.js";
import { Webhook } from "../local/support/webhook.js";
import {
  type AzurermRelease,
  type Change,
  type Providers,
  prepareProviders,
  Terraform,
  TerraformFailedError,
} from "../stand-ins/src/index.js";
import { type ShopStack, Synthesis } from "./synthesize.js";
import { source } from "./with-terraform.js";

/** The public name of the webhook, which the local Azure's ingress leads to this machine. */
export const ORIGIN = "https://orders.example.com";

type Control = Exclude<LocalCloudOptions["control"], boolean | undefined>;

/** A local Azure, a webhook, providers and one stack. */
export class Scenario {
  /**
   * @param environment - additional environment variables for the providers.
   * @param clock - the cloud's, which delays of its control plane follow
   * @param azurerm - the release that the stand-in serves
   */
  static async start(
    control: Control = {},
    environment: Readonly<Record<string, string>> = {},
    clock: "real" | "stepped" = "real",
    azurerm?: AzurermRelease,
  ): Promise<Scenario> {
    const webhook = await Webhook.start();
    const cloud = await LocalCloud.start({
      control,
      clock,
      ingress: { [ORIGIN]: webhook.url, "https://new.example.com": webhook.url },
    });
    const variables = { ...cloud.terraformEnvironment(), ...environment };
    const providers = await prepareProviders(source, variables, azurerm);
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

  /** The paths of the handshakes, the latest last. */
  get handshakes(): string[] {
    const requests = this.webhook.requests.filter(({ method }) => method === "OPTIONS");
    return requests.map(({ path }) => path);
  }

  /** Where Terraform runs. */
  get directory(): string {
    return this.#synthesis.directory;
  }

  /** ID of the Azure subscription. */
  get subscription(): string {
    return `/subscriptions/${this.cloud.subscriptionId}`;
  }

  /** ID of the resource group `shop`. */
  get group(): string {
    return `${this.subscription}/resourceGroups/shop`;
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

  /** An application for which Microsoft's script for secure webhooks has not run yet. */
  newApplication(): string {
    return this.cloud.applications.create({ displayName: "orders", roles: [] }).clientId;
  }

  /** Adds the resource group `shop` to a stack, with a topic. */
  topic(stack: ShopStack, props: Partial<CloudEventGridTopicProps> = {}): CloudEventGridTopic {
    const group = new ResourceGroup(stack, "group", { name: "shop", location: "West Europe" });
    const place = { resourceGroupName: group.name, location: group.location };
    return new CloudEventGridTopic(stack, "topic", { ...place, topicName: "orders", ...props });
  }

  /**
   * Adds a binding to a stack, by default at the Azure subscription, with an application of the stack
   * unless the props name one.
   */
  binding(stack: ShopStack, props: object = {}): CloudEventGridBinding {
    const isNamed = "cloudClientId" in props || "application" in props;
    const application = () => new WebhookApplication(stack, "webhook", { displayName: "orders" });
    const all = {
      ...this.place,
      ...(!isNamed && { application: application() }),
      eventSubscriptionName: "orders",
      scope: this.subscription,
      ...props,
    };
    return new CloudEventGridBinding(stack, "orders", all as CloudEventGridBindingProps);
  }

  /** A function that adds a binding with an existing application. */
  orders(cloudClientId: string, changed: object = {}): (stack: ShopStack) => void {
    return (stack) => void this.binding(stack, { cloudClientId, ...changed });
  }

  /** Creates the resource group of a stack that expects it. */
  async createGroup(): Promise<void> {
    const call = await signIn(this.cloud);
    await call("PUT", this.group, { location: "westeurope" });
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

  /** Applies, and expects that a second plan is empty. */
  async applyCleanly(): Promise<string[]> {
    const changes = await this.apply();
    expect(await this.plan()).toEqual([]);
    return changes;
  }

  /** Destroys, and expects that nothing of Event Grid is left. */
  async destroyAll(): Promise<void> {
    await this.terraform.destroy();
    expect(await this.terraform.state()).toEqual([]);
    expect(this.cloud.eventSubscriptions.list()).toEqual([]);
    expect(this.cloud.topics.list()).toEqual([]);
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
    await Promise.all([this.cloud.close(), this.webhook[Symbol.asyncDispose]()]);
  }
}

/** A value that Terraform knows only during apply. */
export function later(stack: ShopStack, id: string, value: string): string {
  const resource = new DataResource(stack, id, { input: { value } });
  return Token.asString(resource.interpolationForAttribute("output.value"));
}

/** The changes as `action type`, sorted. */
export function summary(changes: readonly Change[]): string[] {
  return changes.map(({ action, type }) => `${action} ${type}`).sort();
}
