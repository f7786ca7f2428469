import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { QueueServiceClient } from "@azure/storage-queue";
import { LocalCloud, type LocalCloudOptions, type Topic } from "cloud-eventgrid-local";
import { expect } from "vitest";
// The command loads it when it runs, which takes long on a busy machine.
import "../../../cli/src/listen/index.js";
import type { ListenEnvironment } from "../../../cli/src/listen/index.js";
import { run } from "../../../cli/src/program.js";
import { sharedAzurite } from "../../support/azurite.js";
import { type Identity, tokenOf } from "./token.js";

const ACCOUNT = "devstoreaccount1";

/** A delivery that the service got. */
export interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A service on this machine that consents to the handshake. */
export class Service implements AsyncDisposable {
  static async start(): Promise<Service> {
    const service = new Service();
    await new Promise<void>((resolve) => service.#server.listen(0, "127.0.0.1", resolve));
    return service;
  }

  readonly deliveries: Delivery[] = [];
  /** The statuses of the next answers; then 200. */
  readonly statuses: number[] = [];
  /** Deliveries are answered when it resolves. */
  gate: Promise<unknown> = Promise.resolve();
  readonly #server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.method === "OPTIONS") {
      const origin = request.headers["webhook-request-origin"];
      response.setHeader("WebHook-Allowed-Origin", origin ?? "").end();
      return;
    }
    this.deliveries.push({ headers: request.headers, body });
    await this.gate;
    response.writeHead(this.statuses.shift() ?? 200).end();
  });

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  ids(): unknown[] {
    return this.deliveries.map(({ body }) => (JSON.parse(body) as { id: unknown }).id);
  }
}

/** A local Azure in place of the real one, with Azurite's queues. */
export class RealAzure implements AsyncDisposable {
  static async start(clock: LocalCloudOptions["clock"] = "real"): Promise<RealAzure> {
    const azurite = await sharedAzurite();
    const cloud = await LocalCloud.start({
      clock,
      control: { eventGridRegistered: true },
      storageConnectionString: azurite.connectionString,
    });
    const azure = new RealAzure(cloud, azurite.connectionString);
    // Those of the files before this one.
    for (const name of await azure.queueNames()) await azure.queues.deleteQueue(name);
    return azure;
  }

  readonly topic: Topic;
  readonly queues: QueueServiceClient;
  readonly accountId: string;

  private constructor(
    readonly cloud: LocalCloud,
    private readonly connectionString: string,
  ) {
    this.topic = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
    this.queues = QueueServiceClient.fromConnectionString(connectionString);
    this.accountId = `/subscriptions/${cloud.subscriptionId}/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/${ACCOUNT}`;
  }

  get env(): Record<string, string> {
    return {
      ...this.cloud.terraformEnvironment(),
      AZURE_STORAGE_CONNECTION_STRING: this.connectionString,
    };
  }

  /** How the commands sign in: as the deployer, or as another identity. */
  #access(as?: Identity): ListenEnvironment {
    const { cloud } = this;
    return {
      ca: cloud.control.certificates.certificate,
      retryDelayMs: 1,
      credential: { getToken: (scopes) => tokenOf(cloud, [scopes].flat().join(" "), as) },
    };
  }

  /** Starts `listen` in this process. */
  listen(args: readonly string[], options: ListenOptions = {}): Listening {
    const environment = { ...this.#access(options.as), wait: quickWait, ...options.environment };
    return new Listening(args, { ...this.env, ...options.env }, environment);
  }

  /** `--scope` and `--storage-account`. */
  get place(): readonly string[] {
    return ["--scope", this.topic.id, "--storage-account", this.accountId];
  }

  async publish(...events: readonly object[]): Promise<void> {
    for (const event of events) await this.publishText(JSON.stringify(event));
  }

  async publishText(event: string): Promise<void> {
    const response = await fetch(this.topic.endpoint, {
      method: "POST",
      headers: {
        "content-type": "application/cloudevents+json",
        "aeg-sas-key": this.topic.accessKey,
      },
      body: event,
    });
    if (!response.ok) throw new Error(`the topic answered ${response.status}`);
  }

  subscriptionNames(): string[] {
    return this.cloud.eventSubscriptions.list().map(({ name }) => name);
  }

  async queueNames(): Promise<string[]> {
    const names: string[] = [];
    for await (const { name } of this.queues.listQueues()) names.push(name);
    return names;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cloud.close();
  }
}

interface ListenOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly environment?: ListenEnvironment;
  /** Another identity than the deployer. */
  readonly as?: Identity;
}

/** A command that runs until it is interrupted. */
export class Listening implements AsyncDisposable {
  out = "";
  error = "";
  readonly #interruption = new AbortController();
  readonly #exitCode: Promise<number>;

  constructor(
    args: readonly string[],
    env: Readonly<Record<string, string | undefined>>,
    environment: ListenEnvironment,
  ) {
    const streams = {
      env,
      directory: process.cwd(),
      interruption: () => this.#interruption.signal,
      out: (text: string) => {
        this.out += text;
      },
      error: (text: string) => {
        this.error += text;
      },
    };
    this.#exitCode = run(["listen", ...args], streams, { listen: environment });
  }

  /** Waits until something was printed. */
  async printed(text: string | RegExp): Promise<void> {
    await expect.poll(() => this.out + this.error).toMatch(text);
  }

  /** Presses Ctrl-C. @returns the exit code */
  interrupt(): Promise<number> {
    this.#interruption.abort();
    return this.#exitCode;
  }

  /** Waits until the command ends by itself. */
  end(): Promise<number> {
    return this.#exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.interrupt();
  }
}

/** Waits for the queue and for retries hardly at all, and for renewals until the end. */
export async function quickWait(milliseconds: number, signal: AbortSignal): Promise<void> {
  const quick = milliseconds >= 60_000 ? 3_600_000 : 10;
  await sleep(quick, undefined, { signal }).catch(() => undefined);
}

let count = 0;

/** A CloudEvent with an ID of its own. */
export function cloudEvent(attributes: object = {}) {
  count += 1;
  return {
    specversion: "1.0",
    id: `event-${count}`,
    source: "/shop",
    type: "shop.order.placed",
    subject: "orders/17",
    data: { orderId: "17" },
    ...attributes,
  };
}
