import { ContainerAppsStack } from "../../examples/container-apps/stack.js";
import { readSynthesized, resolve } from "../../examples/start/synthesized.js";
import { containerAppOrigin } from "../terraform/with-terraform.js";
import { DeployedExample } from "./deployed-example.js";
import { HoldingProxy } from "./holding-proxy.js";

/** The container-apps example, applied, with its service running. */
export class DeployedContainerApp {
  static async deploy(): Promise<DeployedContainerApp> {
    const example = await DeployedExample.prepare({
      service: "container-apps/service.ts",
      redis: true,
      stack: (app, { subscriberEndpoint: _, ...place }) =>
        new ContainerAppsStack(app, "container-apps", { ...place, image }),
    });
    const { cloud, place } = example;
    const proxy = await HoldingProxy.start(`http://127.0.0.1:${place.handshakePort}`);
    const deployed = new DeployedContainerApp(example, proxy);
    try {
      cloud.ingress.route(containerAppOrigin("warehouse"), proxy.origin);
      example.synthesize();
      // Like Azure, the test starts the service with the settings of the container app.
      const terraform = example.terraform({
        onProgress: ({ address, succeeded }) => {
          if (address === "azurerm_container_app.app" && succeeded) {
            proxy.openAfter(deployed.#startApp());
          }
        },
      });
      await terraform.init();
      await terraform.apply();
    } catch (error) {
      await deployed.stop();
      throw error;
    }
    return deployed;
  }

  /** The container's environment variables. */
  environment: Readonly<Record<string, string>> = {};

  private constructor(
    readonly example: DeployedExample,
    private readonly proxy: HoldingProxy,
  ) {}

  /** Starts the service with the settings of the container app. */
  async #startApp(): Promise<void> {
    this.environment = {
      ...containerEnvironment(this.example),
      ...this.example.cloud.identityEnvironment("warehouse"),
    };
    await this.example.serve(this.environment);
  }

  async stop(): Promise<void> {
    await this.example.stop();
    await this.proxy.stop();
  }
}

/** The image that the stack is configured with. */
export const image = "example.azurecr.io/warehouse:1";

function containerEnvironment(example: DeployedExample): Record<string, string> {
  const { resources } = readSynthesized(example.outdir, "container-apps");
  const [topic] = example.cloud.topics.list();
  const made = { endpoint: topic?.endpoint };
  const attributes = new Map(
    resources.flatMap(({ type, address }) =>
      type === "azurerm_eventgrid_topic" ? [[address, made]] : [],
    ),
  );
  const app = resources.find(({ type }) => type === "azurerm_container_app")?.config;
  const { secret, template } = resolve(app, attributes) as ContainerAppSettings;
  const secrets = new Map(secret.map(({ name, value }) => [name, value]));
  const env = template.container.flatMap((container) => container.env);
  return Object.fromEntries(
    env.map(({ name, value, secret_name }) => [
      name,
      value ?? secrets.get(secret_name ?? "") ?? "",
    ]),
  );
}

interface ContainerAppSettings {
  readonly secret: readonly { readonly name: string; readonly value: string }[];
  readonly template: {
    readonly container: readonly {
      readonly env: readonly {
        readonly name: string;
        readonly value?: string;
        readonly secret_name?: string;
      }[];
    }[];
  };
}
