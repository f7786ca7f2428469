import { execFile } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { LocalCloud } from "cloud-eventgrid-local";
import { signIn } from "../local/support/management-client.js";
import { Webhook } from "../local/support/webhook.js";
import {
  type AzurermRelease,
  prepareProviders,
  requireTerraform,
  Terraform,
} from "../stand-ins/src/index.js";
import { terraformEnvironment } from "../stand-ins/src/terraform/environment.js";
import { root } from "../support/project.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { containerAppOrigin, source } from "../terraform/with-terraform.js";

export const WEBHOOK_URL = "https://orders.example.com/api/events";

/** A local Azure, a webhook that consents to the handshake, and a copy of the module. */
export class Shop {
  /**
   * @param target where the webhook's requests go instead, such as `http://127.0.0.1:9000`
   * @param otherSubscriptionIds Azure subscriptions beside the providers' own
   */
  static async start(
    azurerm?: AzurermRelease,
    target?: string,
    otherSubscriptionIds: readonly string[] = [],
  ): Promise<Shop> {
    const webhook = await Webhook.start();
    const cloud = await LocalCloud.start({
      control: true,
      otherSubscriptionIds,
      ingress: {
        "https://orders.example.com": target ?? webhook.url,
        [containerAppOrigin("orders").replace("orders.orders", "orders.shop")]: webhook.url,
      },
    });
    const providers = await prepareProviders(source, cloud.terraformEnvironment(), azurerm);
    return new Shop(webhook, cloud, providers);
  }

  readonly #folder = temporaryFolder();

  private constructor(
    readonly webhook: Webhook,
    readonly cloud: LocalCloud,
    readonly providers: Awaited<ReturnType<typeof prepareProviders>>,
  ) {
    cpSync(join(root, "terraform"), join(this.#folder, "terraform"), {
      recursive: true,
      filter: (file) => !/\.terraform|\.tfstate/.test(file),
    });
  }

  /** ID of the resource group `shop`. */
  get group(): string {
    return `/subscriptions/${this.cloud.subscriptionId}/resourceGroups/shop`;
  }

  /** Creates the resource group of a configuration that expects it. */
  async createGroup(): Promise<void> {
    const call = await signIn(this.cloud);
    await call("PUT", this.group, { location: "westeurope" });
  }

  /** Terraform in an example of the module, with values of its variables. */
  async example(name: string, variables: Readonly<Record<string, string>> = {}) {
    return this.#initialised(join(this.#folder, "terraform/examples", name), variables);
  }

  /** Terraform in a configuration of its own, in which `./terraform` is the module. */
  async configuration(text: string): Promise<{ terraform: Terraform; write(text: string): void }> {
    const directory = join(this.#folder, "configuration");
    mkdirSync(directory, { recursive: true });
    const write = (changed: string) =>
      writeFileSync(
        join(directory, "main.tf"),
        `${PROVIDERS}${changed.replaceAll('"./terraform', '"../terraform')}`,
      );
    write(text);
    return { terraform: await this.#initialised(directory, {}), write };
  }

  /** The output of `terraform test`, which uses the schemas of the providers only. */
  async test(): Promise<string> {
    const directory = join(this.#folder, "terraform");
    await this.#initialised(directory, {});
    const env = terraformEnvironment(this.providers.environment);
    const { stdout } = await promisify(execFile)(requireTerraform(), ["test", "-no-color"], {
      cwd: directory,
      env,
    });
    return stdout;
  }

  async #initialised(directory: string, variables: Readonly<Record<string, string>>) {
    const inputs = Object.entries(variables).map(([name, value]) => [`TF_VAR_${name}`, value]);
    const environment = { ...this.providers.environment, ...Object.fromEntries(inputs) };
    const terraform = new Terraform({ directory, providers: { ...this.providers, environment } });
    await terraform.init();
    return terraform;
  }

  async stop(): Promise<void> {
    await this.providers.stop();
    await Promise.all([this.cloud.close(), this.webhook[Symbol.asyncDispose]()]);
  }
}

const PROVIDERS = `provider "azurerm" {
  features {}
  resource_providers_to_register = ["Microsoft.EventGrid"]
}
provider "azuread" {}
`;
