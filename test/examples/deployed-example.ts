import { join, resolve } from "node:path";
import { App, LocalBackend, type TerraformStack } from "cdktf";
import { LocalCloud } from "cloud-eventgrid-local";
import type { Place } from "../../examples/place.js";
import { freePort } from "../../examples/start/free-port.js";
import { readSynthesized } from "../../examples/start/synthesized.js";
import { Replica } from "../runtime/handling/store/replicas.js";
import {
  type Providers,
  prepareProviders,
  type StateResource,
  Terraform,
} from "../stand-ins/src/index.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { source } from "../terraform/with-terraform.js";
import { RedisOfService } from "./redis-of-service.js";

/** How to deploy an example. */
export interface ExampleSetting {
  /** Public URL of the webhook. */
  readonly subscriberEndpoint?: string;
  /** Prefixes of public paths, and what the ingress replaces them with. */
  readonly rewrite?: Readonly<Record<string, string>>;
  /** Client ID of the webhook's application. */
  readonly clientId?: string;
  /** The module of the service, below `examples/`. */
  readonly service: string;
  /** Whether the service's replicas share a Redis. */
  readonly redis?: true;
  readonly stack: (app: App, place: Place, cloud: LocalCloud) => TerraformStack;
}

/** An example that Terraform deploys to a local Azure, with its service running. */
export class DeployedExample {
  static async prepare(setting: ExampleSetting): Promise<DeployedExample> {
    const { subscriberEndpoint = "https://events.example.com/api/events", rewrite = {} } = setting;
    const port = await freePort();
    const target = `http://127.0.0.1:${port}`;
    const cloud = await LocalCloud.start({
      control: true,
      clock: { scale: 20 },
      ingress: { [new URL(subscriberEndpoint).origin]: { target, rewrite } },
    });
    const application = cloud.applications.create({
      displayName: "example",
      roles: [],
      ...(setting.clientId !== undefined && { clientId: setting.clientId }),
    });
    const place = {
      cloudTenantId: cloud.tenantId,
      cloudSubscriptionId: cloud.subscriptionId,
      cloudAuthorityHost: cloud.authorityHost,
      cloudClientId: application.clientId,
      subscriberEndpoint,
      handshakePort: String(port),
    };
    const providers = await prepareProviders(source, cloud.terraformEnvironment());
    const redis = setting.redis && (await RedisOfService.start());
    return new DeployedExample(setting, cloud, place, providers, redis);
  }

  /** Prepares, starts the service, and applies the stack. */
  static async deploy(setting: ExampleSetting): Promise<DeployedExample> {
    const example = await DeployedExample.prepare(setting);
    try {
      const { environment } = example.synthesize();
      const terraform = example.terraform();
      await Promise.all([example.serve(environment as Record<string, string>), terraform.init()]);
      await terraform.apply();
    } catch (error) {
      await example.stop();
      throw error;
    }
    return example;
  }

  /** The output folder of synthesis. */
  readonly outdir = temporaryFolder();
  #stack = "";
  #service: Replica | undefined;

  private constructor(
    readonly setting: ExampleSetting,
    readonly cloud: LocalCloud,
    readonly place: Place,
    readonly providers: Providers,
    readonly redis: RedisOfService | undefined,
  ) {}

  /** Synthesizes the stack; returns its outputs, with references. */
  synthesize(build = this.setting.stack): Readonly<Record<string, unknown>> {
    const app = new App({ outdir: this.outdir });
    const stack = build(app, this.place, this.cloud);
    this.#stack = stack.node.id;
    new LocalBackend(stack, { path: join(this.outdir, "terraform.tfstate") });
    app.synth();
    return readSynthesized(this.outdir, this.#stack).outputs;
  }

  terraform(options: Partial<ConstructorParameters<typeof Terraform>[0]> = {}): Terraform {
    const directory = join(this.outdir, "stacks", this.#stack);
    return new Terraform({ directory, providers: this.providers, ...options });
  }

  /** Starts the service and waits until it is ready. */
  async serve(environment: Readonly<Record<string, string>>): Promise<void> {
    const module = resolve("examples", this.setting.service);
    // The topic's certificate is the local Azure's.
    const { NODE_EXTRA_CA_CERTS = "" } = this.cloud.terraformEnvironment();
    const variables = { NODE_EXTRA_CA_CERTS, ...environment, ...this.redis?.environment };
    this.#service = new Replica(module, Number(this.place.handshakePort), variables);
    await this.#service.start();
  }

  /** Publishes an event to the only topic. */
  async publish(type: string, data: object): Promise<void> {
    const [topic] = this.cloud.topics.list();
    if (topic === undefined) throw new Error("there is no topic");
    const response = await fetch(topic.endpoint, {
      method: "POST",
      headers: {
        "aeg-sas-key": topic.publishKey,
        "content-type": "application/cloudevents+json",
      },
      body: JSON.stringify({ specversion: "1.0", id: "1", source: "/test", type, data }),
    });
    if (!response.ok) throw new Error(`${type} was refused: ${await response.text()}`);
  }

  /** The only applied resource of a type. */
  async resource(type: string): Promise<StateResource> {
    const found = (await this.terraform().state()).filter((one) => one.type === type);
    const [only] = found;
    if (only === undefined || found.length > 1) throw new Error(`${found.length} of ${type}`);
    return only;
  }

  /** The messages that the handlers of the service have logged so far. */
  messages(): string[] {
    return this.log().map(({ msg }) => String(msg));
  }

  /** The lines that the handlers of the service have logged so far. */
  log(): Record<string, unknown>[] {
    return (this.#service?.output ?? "")
      .split("\n")
      .filter((line) => line.startsWith("{") && line.endsWith("}"))
      .map((line): Record<string, unknown> => JSON.parse(line))
      .filter((line) => "event" in line);
  }

  async stop(): Promise<void> {
    await this.#service?.end("SIGKILL");
    await this.redis?.stop();
    await this.providers.stop();
    await this.cloud.close();
  }
}
