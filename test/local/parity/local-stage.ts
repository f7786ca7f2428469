import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BlobServiceClient } from "@azure/storage-blob";
import {
  type DeadLetter,
  type DeliveryAttempt,
  LocalCloud,
  type NewEventSubscription,
  type NewNamespaceSubscription,
  type NewNamespaceTopic,
  type NewTopic,
  type Topic,
} from "cloud-eventgrid-local";
import { sharedAzurite } from "../../support/azurite.js";
import { type Call, deployer, permit, signIn } from "../support/management-client.js";
import { confirmValidation, Webhook } from "../support/webhook.js";
import {
  type Delivery,
  eventFor,
  GROUP,
  ORIGIN,
  OTHER_SUBSCRIPTION,
  type Outcome,
  publish,
  publishEvents,
  type Stage,
  type StageQueue,
  type StageSubscription,
  type Storage,
  statusOf,
} from "./stage.js";

async function startStorage(): Promise<Storage> {
  const azurite = await sharedAzurite();
  const cloud = await LocalCloud.start({
    azurite: azurite.blobUrl,
    storageConnectionString: azurite.connectionString,
  });
  const scope = `/subscriptions/${cloud.subscriptionId}/resourceGroups/local/providers/Microsoft.Storage/storageAccounts/devstoreaccount1`;
  const resourceId = `${GROUP}/providers/Microsoft.ServiceBus/namespaces/parity/queues/parity`;
  const destination = { endpointType: "ServiceBusQueue", properties: { resourceId } } as const;
  const filter = { includedEventTypes: ["All"] };
  await cloud.eventSubscriptions.create({ name: "parity", scope, filter, destination });
  return {
    service: BlobServiceClient.fromConnectionString(cloud.storageConnectionString),
    events: async () => {
      await cloud.drain();
      return cloud.messages().map(({ event }) => event);
    },
    stop: () => cloud.close(),
  };
}

/** One local Azure for all rows, with a stepped clock and a webhook. */
export class LocalStage implements Stage, AsyncDisposable {
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

  readonly otherSubscriptionId = OTHER_SUBSCRIPTION;

  /** Storage whose operations raise events: Azurite, started with the first row that needs it. */
  storage(): Promise<Storage> {
    this.#storage ??= startStorage();
    return this.#storage;
  }

  static async open(): Promise<LocalStage> {
    const webhook = await Webhook.start();
    const deadLetterDirectory = mkdtempSync(join(tmpdir(), "parity-"));
    const cloud = await LocalCloud.start({
      control: true,
      clock: "stepped",
      deadLetterDirectory,
      otherSubscriptionIds: [OTHER_SUBSCRIPTION],
      ingress: { [ORIGIN]: webhook.url },
    });
    permit(cloud, deployer(cloud).clientId, "Group.ReadWrite.All");
    const stage = new LocalStage(cloud, webhook, deadLetterDirectory);
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

  async newTopic(options: Partial<NewTopic> = {}): Promise<Topic> {
    return this.#create(options);
  }

  #create(options: Partial<NewTopic>): Topic {
    return this.cloud.topics.create({
      name: this.newName(),
      resourceGroupName: "parity",
      ...options,
    });
  }

  async newQueue(
    settings: Partial<NewNamespaceSubscription> = {},
    topicSettings: Partial<NewNamespaceTopic> = {},
  ): Promise<StageQueue> {
    const namespace = this.cloud.namespaces.create({ name: this.newName() });
    const topic = namespace.topics.create({ name: "orders", ...topicSettings });
    const queue = await topic.subscriptions.create({ name: "queue", ...settings });
    return { namespace, topic, queue };
  }

  /** A topic that rows share. */
  topicFor(inputSchema: NonNullable<NewTopic["inputSchema"]>): Topic {
    const topic = this.#topics.get(inputSchema) ?? this.#create({ inputSchema });
    this.#topics.set(inputSchema, topic);
    return topic;
  }

  /** Subscribes the webhook at a path of its own. */
  subscribe(
    scope: string,
    settings: Partial<NewEventSubscription> = {},
  ): Promise<StageSubscription> {
    const name = settings.name ?? this.newName();
    const target = settings.destination ? {} : { endpointUrl: `${ORIGIN}/${name}` };
    return this.cloud.eventSubscriptions.create({ name, scope, ...target, ...settings });
  }

  /** The URL of the webhook at a path of its own, which answers with these statuses, then with 200. */
  answering(name: string, statuses: readonly number[]): string {
    this.#answers.set(`/${name}`, [...statuses]);
    return `${ORIGIN}/${name}`;
  }

  readonly publish = publish;

  /** Publishes events to a new topic with one subscription, and waits until nothing is pending. */
  async deliver({ topic, subscription, events, answers = [] }: Delivery = {}): Promise<Outcome> {
    const target = await this.newTopic(topic);
    const { id, settings } = await this.subscribe(target.id, subscription);
    const path = new URL(settings.endpointUrl ?? ORIGIN).pathname;
    this.#answers.set(path, [...answers]);
    await publishEvents(target, events ?? [eventFor(target.inputSchema)]);
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
  blobOf({ blob }: DeadLetter, account = "local"): string {
    return readFileSync(join(this.deadLetterDirectory, account, "dead", blob), "utf8");
  }

  /** Whether an event passes a filter. */
  async passes(
    inputSchema: NonNullable<NewTopic["inputSchema"]>,
    filter: NewEventSubscription["filter"],
    event: object,
    eventDeliverySchema?: NewEventSubscription["eventDeliverySchema"],
  ): Promise<boolean> {
    const topic = this.topicFor(inputSchema);
    const name = this.newName();
    const destination = {
      endpointType: "StorageQueue",
      properties: { queueName: "parity" },
    } as const;
    await this.subscribe(topic.id, { name, destination, filter, eventDeliverySchema });
    await publishEvents(topic, [event]);
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

function secondsBetween(first: DeliveryAttempt | undefined, second: DeliveryAttempt): number {
  return Math.round((second.at - (first?.at ?? 0)) / 1000);
}
