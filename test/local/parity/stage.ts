import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BlobServiceClient } from "@azure/storage-blob";
import {
  type AcceptedEvent,
  type DeadLetter,
  type DeliveryAttempt,
  type EventSubscription,
  LocalCloud,
  type NewEventSubscription,
  type NewTopic,
  type Topic,
} from "cloud-eventgrid-local";
import { startAzurite } from "../../support/azurite.js";
import { type Call, signIn } from "../support/management-client.js";
import { confirmValidation, type ReceivedRequest, Webhook } from "../support/webhook.js";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** `error` of the body; empty for an answer without one. */
  readonly error: { readonly code?: string; readonly message?: string; readonly details?: unknown };
}

/** What happened to the events of one subscription. */
export interface Outcome {
  readonly requests: readonly ReceivedRequest[];
  readonly attempts: readonly DeliveryAttempt[];
  readonly deadLetters: readonly DeadLetter[];
  /** Seconds between the attempts. */
  readonly waits: readonly number[];
}

interface Delivery {
  readonly topic?: Partial<NewTopic>;
  readonly subscription?: Partial<NewEventSubscription>;
  readonly events?: readonly object[];
  /** Statuses of the webhook, one for each delivery; 200 after the last. */
  readonly answers?: readonly number[];
}

const ORIGIN = "https://parity.example.com";

export const SINGLE = "application/cloudevents+json";
export const BATCH = "application/cloudevents-batch+json";

export const GROUP = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/parity";

/** A CloudEvent with the required attributes by default. */
export function cloudEvent(attributes: object = {}): object {
  return { specversion: "1.0", id: "1", source: "/shop", type: "shop.placed", ...attributes };
}

/** An event of the Event Grid schema with the required attributes by default. */
export function gridEvent(attributes: object = {}): object {
  return {
    id: "1",
    subject: "orders/1",
    eventType: "shop.placed",
    eventTime: "2026-01-31T07:00:00Z",
    data: {},
    ...attributes,
  };
}

/** Azurite behind a local Azure. */
interface Storage {
  readonly service: BlobServiceClient;
  /** All events so far, in their sequence. */
  readonly events: () => Promise<AcceptedEvent[]>;
  readonly stop: () => Promise<void>;
}

async function startStorage(): Promise<Storage> {
  const azurite = await startAzurite();
  const cloud = await LocalCloud.start({
    azurite: azurite.blobUrl,
    storageConnectionString: azurite.connectionString,
  });
  const scope = `/subscriptions/${cloud.subscriptionId}`;
  const resourceId = `${GROUP}/providers/Microsoft.ServiceBus/namespaces/parity/queues/parity`;
  const destination = { type: "ServiceBusQueue", resourceId } as const;
  await cloud.eventSubscriptions.create({ name: "parity", scope, destination });
  return {
    service: BlobServiceClient.fromConnectionString(cloud.storageConnectionString),
    events: async () => {
      await cloud.drain();
      return cloud.messages().map(({ event }) => event);
    },
    stop: async () => {
      await cloud.close();
      await azurite[Symbol.asyncDispose]();
    },
  };
}

/** One local Azure for all rows, with a stepped clock and a webhook. */
export class Stage implements AsyncDisposable {
  #names = 0;
  readonly #topics = new Map<string, Topic>();
  readonly #answers = new Map<string, number[]>();
  #call: Promise<Call> | undefined;
  #storage: Promise<Storage> | undefined;

  private constructor(
    readonly cloud: LocalCloud,
    readonly webhook: Webhook,
    private readonly deadLetterDirectory: string,
  ) {}

  /** Storage whose operations raise events: Azurite, started with the first row that needs it. */
  storage(): Promise<Storage> {
    this.#storage ??= startStorage();
    return this.#storage;
  }

  static async open(): Promise<Stage> {
    const webhook = await Webhook.start();
    const deadLetterDirectory = mkdtempSync(join(tmpdir(), "parity-"));
    const cloud = await LocalCloud.start({
      control: true,
      clock: "stepped",
      deadLetterDirectory,
      ingress: { [ORIGIN]: webhook.url },
    });
    const stage = new Stage(cloud, webhook, deadLetterDirectory);
    webhook.answer = (request) => {
      const isDelivery = request.headers["aeg-event-type"] === "Notification";
      if (!isDelivery) return confirmValidation(request);
      return { status: stage.#answers.get(request.path)?.shift() ?? 200 };
    };
    return stage;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#storage)?.stop();
    await this.cloud.close();
    await this.webhook[Symbol.asyncDispose]();
    rmSync(this.deadLetterDirectory, { recursive: true });
  }

  newName(): string {
    this.#names++;
    return `row-${this.#names}`;
  }

  newTopic(options: Partial<NewTopic> = {}): Topic {
    return this.cloud.topics.create({
      name: this.newName(),
      resourceGroupName: "parity",
      ...options,
    });
  }

  /** A topic that rows share. */
  topicFor(inputSchema: NonNullable<NewTopic["inputSchema"]>): Topic {
    const topic = this.#topics.get(inputSchema) ?? this.newTopic({ inputSchema });
    this.#topics.set(inputSchema, topic);
    return topic;
  }

  /** Subscribes the webhook at a path of its own. */
  subscribe(
    scope: string,
    settings: Partial<NewEventSubscription> = {},
  ): Promise<EventSubscription> {
    const name = settings.name ?? this.newName();
    const target = settings.destination ? {} : { endpointUrl: `${ORIGIN}/${name}` };
    return this.cloud.eventSubscriptions.create({ name, scope, ...target, ...settings });
  }

  /** The URL of the webhook at a path of its own, which answers with these statuses, then with 200. */
  answering(name: string, statuses: readonly number[]): string {
    this.#answers.set(`/${name}`, [...statuses]);
    return `${ORIGIN}/${name}`;
  }

  async publish(
    topic: Pick<Topic, "endpoint" | "accessKey" | "inputSchema">,
    content: unknown,
    { headers = {}, query = "", method = "POST" } = {} as {
      readonly headers?: Readonly<Record<string, string>>;
      readonly query?: string;
      readonly method?: string;
    },
  ): Promise<Answer> {
    const isSingle = topic.inputSchema === "CloudEventSchemaV1_0" && !Array.isArray(content);
    const type = isSingle
      ? SINGLE
      : topic.inputSchema === "CloudEventSchemaV1_0"
        ? BATCH
        : "application/json";
    const response = await fetch(`${topic.endpoint}${query}`, {
      method,
      headers: { "aeg-sas-key": topic.accessKey, "content-type": type, ...headers },
      ...(method === "GET"
        ? {}
        : { body: typeof content === "string" ? content : JSON.stringify(content) }),
    });
    const text = await response.text();
    const error = response.ok || text === "" ? {} : JSON.parse(text).error;
    return { status: response.status, headers: response.headers, text, error };
  }

  /** Publishes events to a new topic with one subscription, and waits until nothing is pending. */
  async deliver({ topic, subscription, events, answers = [] }: Delivery = {}): Promise<Outcome> {
    const target = this.newTopic(topic);
    const { id, settings } = await this.subscribe(target.id, subscription);
    const path = new URL(settings.endpointUrl ?? ORIGIN).pathname;
    this.#answers.set(path, [...answers]);
    const isGrid = target.inputSchema === "EventGridSchema";
    const answer = await this.publish(target, events ?? [isGrid ? gridEvent() : cloudEvent()]);
    if (answer.status !== 200) throw new Error(answer.text);
    await this.cloud.drain();
    return this.outcomeOf(id, path);
  }

  /** What has happened so far. */
  outcomeOf(subscriptionId: string, path: string): Outcome {
    const attempts = this.cloud
      .deliveries()
      .filter((each) => each.subscriptionId === subscriptionId);
    const name = subscriptionId.split("/").at(-1);
    return {
      requests: this.webhook.requests.filter(
        (request) => request.path === path && request.headers["aeg-event-type"] === "Notification",
      ),
      attempts,
      deadLetters: this.cloud.deadLetters().filter(({ subscription }) => subscription === name),
      waits: attempts.slice(1).map((attempt, index) => secondsBetween(attempts[index], attempt)),
    };
  }

  /** The content of the dead letter's blob. */
  blobOf({ blob }: DeadLetter): string {
    return readFileSync(join(this.deadLetterDirectory, "local/dead", blob), "utf8");
  }

  /** Whether an event passes a filter. */
  async passes(
    inputSchema: NonNullable<NewTopic["inputSchema"]>,
    filter: NewEventSubscription["filter"],
    event: object,
  ): Promise<boolean> {
    const topic = this.topicFor(inputSchema);
    const name = this.newName();
    const destination = { type: "StorageQueue", queue: "parity" } as const;
    await this.subscribe(topic.id, { name, destination, filter });
    const answer = await this.publish(topic, [event]);
    if (answer.status !== 200) throw new Error(answer.text);
    await this.cloud.drain();
    this.cloud.eventSubscriptions.delete(topic.id, name);
    return this.cloud.messages().some(({ subscription }) => subscription === name);
  }

  /** Creates a subscription and returns why it is refused; `undefined` if it is not. */
  async refusalOf(settings: Partial<NewEventSubscription>): Promise<number | undefined> {
    const topic = this.topicFor("CloudEventSchemaV1_0");
    try {
      const { name } = await this.subscribe(topic.id, settings);
      this.cloud.eventSubscriptions.delete(topic.id, name);
      return undefined;
    } catch (error) {
      return statusOf(error);
    }
  }

  /** Calls Resource Manager as the deployer. */
  async call(...request: Parameters<Call>): ReturnType<Call> {
    this.#call ??= signIn(this.cloud);
    return (await this.#call)(...request);
  }
}

export function statusOf(error: unknown): number | undefined {
  const status: unknown = Object(error).status;
  if (typeof status === "number") return status;
  throw error;
}

/** The one event of a delivery that is an object or an array with one element. */
export function eventIn(request: ReceivedRequest | undefined): Readonly<Record<string, unknown>> {
  const body = JSON.parse(request?.body ?? "null");
  return Array.isArray(body) ? body[0] : body;
}

function secondsBetween(first: DeliveryAttempt | undefined, second: DeliveryAttempt): number {
  return Math.round((second.at - (first?.at ?? 0)) / 1000);
}
