import type {
  InputSchema,
  LocalCloud,
  NewEventSubscription,
  NewNamespaceSubscription,
  NewNamespaceTopic,
  NewTopic,
} from "cloud-eventgrid-local";
import { propertiesOf as queuePropertiesOf } from "../../local/src/eventgrid/namespaces/subscriptions/new-subscription.js";
import { settingsOf as queueSettingsOf } from "../../local/src/eventgrid/namespaces/subscriptions/settings.js";
import { withoutNulls } from "../../local/src/eventgrid/subscriptions/delivery-settings.js";
import { propertiesOf, settingsOf } from "../../local/src/eventgrid/subscriptions/settings.js";
import {
  cloudEvent,
  type Delivery,
  GROUP,
  gridEvent,
  ORIGIN,
  type Outcome,
  publish,
  type Stage,
  type StageQueue,
  type StageSubscription,
  type StageTopic,
} from "../../test/local/parity/stage.js";
import type { ManagementAnswer } from "../../test/local/support/management-client.js";
import type { Webhook } from "../../test/local/support/webhook.js";
import { RefusedError, refuse } from "./connection.js";
import { PullQueue } from "./inbox.js";
import type { Shared } from "./shared.js";
import { MissingError } from "./translation.js";

const SUBSCRIPTION = GROUP.split("/")[2];
const OWN_GROUP = /^\/subscriptions\/[^/]+\/resourceGroups\/parity(?=[/?]|$)/i;
const A_GROUP = /^\/subscriptions\/[^/]+\/resourceGroups\/[^/?]+(\?|$)/i;
const NAMESPACE = /\/Microsoft\.EventGrid\/namespaces\/[^/?]+(\?|$)/i;
/** Namespaces that rows create at most. One costs about four cents an hour. */
const MOST_NAMESPACES = 15;
/** Milliseconds without a request after which no more is expected, and how often to wait for one. */
const QUIET_MS = 10_000;
const DELIVERY_WAITS = 6;

/** The need of a row that changes what the webhook answers. */
export const ALONE = "the webhook for itself";

function missing(need = "what only the local Azure has"): never {
  throw new MissingError(need);
}

/** What the rows of a run share. */
export interface RowPlace {
  readonly shared: Shared;
  readonly withEntra: boolean;
  readonly webhook: Webhook | undefined;
  /** Whether the row runs alone, so that it may change what the webhook answers. */
  readonly isAlone: boolean;
  /** Names and namespaces so far. */
  readonly counts: { names: number; namespaces: number };
}

/** Where one row runs: in the subscription. What only the local Azure has ends the row. */
export class RowStage implements Stage, AsyncDisposable {
  readonly publish = publish;
  /** Paths to delete after the row. */
  readonly #created: string[] = [];

  constructor(private readonly place: RowPlace) {}

  get #connection() {
    return this.place.shared.connection;
  }

  get #translation() {
    return this.place.shared.translation;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const id of this.#created) await this.#connection.call("DELETE", id);
  }

  readonly cloud = new Proxy({} as LocalCloud, {
    get(_, name) {
      if (name === "subscriptionId") return SUBSCRIPTION;
      if (name === "clock") return missing("a clock that can be moved");
      return missing(name === "faults" ? "a fault" : undefined);
    },
  });

  get webhook(): Webhook {
    if (this.place.webhook === undefined) return missing("--webhook");
    return this.place.isAlone ? this.place.webhook : missing(ALONE);
  }

  storage = () => missing();
  blobOf = () => missing();
  outcomeOf = () => missing();

  newName(): string {
    return `row-${++this.place.counts.names}`;
  }

  topicFor(schema: InputSchema): StageTopic {
    return this.place.shared.topicFor(schema);
  }

  async newTopic(options: Partial<NewTopic> = {}): Promise<StageTopic> {
    const { name = this.newName(), resourceGroupName = "parity", location } = options;
    if (resourceGroupName !== "parity") missing("another resource group");
    const { inputSchema = "CloudEventSchemaV1_0", inputSchemaMapping: properties } = options;
    const inputSchemaMapping = properties && { inputSchemaMappingType: "Json", properties };
    return this.place.shared.topic(this.#translation.name(name), {
      location: location ?? this.#translation.region,
      properties: { inputSchema, inputSchemaMapping },
    });
  }

  async newQueue(
    settings: Partial<NewNamespaceSubscription> = {},
    { eventRetentionInDays }: Partial<NewNamespaceTopic> = {},
  ): Promise<StageQueue> {
    if (settings.deadLetter) missing("a storage account");
    if (settings.endpointUrl !== undefined) missing("a clock that can be moved");
    const { namespaceId, namespace, connection } = this.place.shared;
    const { name = "queue" } = settings;
    const topicName = this.#translation.there(this.newName());
    const id = `${namespaceId}/topics/${topicName}`;
    const queueId = `${id}/eventSubscriptions/${name}`;
    this.#created.push(id);
    await connection.done("PUT", id, { properties: { eventRetentionInDays } });
    const properties = queuePropertiesOf({ ...settings, name }, this.#translation.subscriptionId);
    await connection.done("PUT", queueId, { properties });
    const [topic, queue, keys] = await Promise.all([
      connection.done("GET", id),
      connection.done("GET", queueId),
      connection.done("POST", `${id}/listKeys`),
    ]);
    const { eventRetentionInDays: retention } = Object(topic.body).properties;
    const { endpoint } = namespace;
    const { fetch } = connection.surroundings;
    const pull = new PullQueue(fetch, endpoint, namespace.keys.key1, topicName, name);
    return {
      namespace: {
        id: this.#translation.back(namespaceId),
        name: this.#translation.group,
        endpoint,
        accessKey: namespace.keys.key1,
        keys: () => namespace.keys,
        regenerateKey: () => missing("keys for itself"),
        get topics() {
          return missing();
        },
      },
      topic: {
        id: this.#translation.back(id),
        name: topicName,
        keys: () => Object(keys.body),
        eventRetentionInDays: retention,
        get subscriptions() {
          return missing();
        },
      },
      queue: {
        name,
        settings: queueSettingsOf(withoutNulls(Object(queue.body).properties), {
          tenantId: "",
          eventRetentionInDays: retention,
        }),
        get counts() {
          return missing();
        },
        acknowledge: () => missing(),
        renewLocks: () => missing("a clock that can be moved"),
        receive: (options) => pull.receive(options),
      },
    };
  }

  answering(name: string, statuses: readonly number[]): string {
    if (this.place.webhook === undefined) return missing("--webhook");
    return statuses.length === 0 ? `${ORIGIN}/${name}` : missing("a clock that can be moved");
  }

  async subscribe(
    scope: string,
    settings: Partial<NewEventSubscription> = {},
  ): Promise<StageSubscription> {
    const { name = this.newName(), destination } = settings;
    if (destination || settings.deadLetter) missing("a storage account");
    const target = { endpointUrl: `${ORIGIN}/${name}`, ...settings };
    const written = propertiesOf({ name, scope, ...target }, { subscriptionId: "", isTopic: true });
    const needsWebhook =
      settings.endpointUrl !== undefined ||
      settings.batching !== undefined ||
      settings.deliveryProperties !== undefined ||
      (settings.deliverySchema ?? "CloudEventSchemaV1_0") !== "CloudEventSchemaV1_0" ||
      !this.#isCloudEvents(scope);
    const routed = { ...written, ...this.place.shared.destination("all") };
    const properties = needsWebhook || this.place.webhook ? written : routed;
    const id = `${scope}/providers/Microsoft.EventGrid/eventSubscriptions/${name}`;
    const answer = await this.call("PUT", id, { properties });
    refuse(answer, `PUT ${id}`);
    this.#created.push(this.#translation.there(id));
    await this.#connection.ended(answer, `PUT ${id}`);
    const read = Object((await this.call("GET", id)).body).properties;
    const inputSchema = undefined;
    return { id, name, settings: settingsOf(withoutNulls(read), { tenantId: "", inputSchema }) };
  }

  #isCloudEvents(scope: string): boolean {
    return this.topicFor("CloudEventSchemaV1_0").id === scope;
  }

  async refusalOf(settings: Partial<NewEventSubscription>): Promise<number | undefined> {
    try {
      await this.subscribe(this.topicFor("CloudEventSchemaV1_0").id, settings);
      return undefined;
    } catch (error) {
      if (error instanceof RefusedError) return error.status;
      throw error;
    }
  }

  passes(schema: InputSchema, filter: NewEventSubscription["filter"], event: object) {
    return this.place.shared.passes(schema, filter ?? {}, event);
  }

  async deliver({ topic, subscription, events, answers = [] }: Delivery = {}): Promise<Outcome> {
    const { webhook } = this.place;
    if (webhook === undefined) return missing("--webhook");
    if (answers.length > 0) missing("a clock that can be moved");
    const target = await this.newTopic(topic);
    const { name } = await this.subscribe(target.id, subscription);
    const isGrid = target.inputSchema === "EventGridSchema";
    const answer = await this.publish(target, events ?? [isGrid ? gridEvent() : cloudEvent()]);
    if (answer.status !== 200) throw new Error(answer.text);
    const path = `/${this.#translation.there(name)}`;
    const requests = () =>
      webhook.requests.filter(
        (each) => each.path === path && each.headers["aeg-event-type"] === "Notification",
      );
    for (let waits = 0, before = -1; waits < DELIVERY_WAITS; waits++) {
      if (before > 0 && before === requests().length) break;
      before = requests().length;
      await this.#connection.surroundings.wait(QUIET_MS);
    }
    return {
      requests: requests().map((each) => ({ ...each, body: this.#translation.back(each.body) })),
      get attempts() {
        return missing();
      },
      get deadLetters() {
        return missing();
      },
      get waits() {
        return missing("a clock that can be moved");
      },
    };
  }

  async call(method: string, path: string, body?: unknown): Promise<ManagementAnswer> {
    this.#check(method, path, body);
    const { there, back } = this.#texts();
    const sent = body === undefined ? undefined : JSON.parse(there(JSON.stringify(body)));
    const isOperation = /\/(operationsStatus|operationResults)\//i.test(path);
    for (;;) {
      const answer = await this.#connection.call(method, there(path), sent);
      const state = String(Object(answer.body).status);
      if (isOperation && !/^(Succeeded|Failed|Canceled)$/.test(state) && answer.status < 300) {
        await this.#connection.surroundings.wait(QUIET_MS);
        continue;
      }
      if (method === "POST" && answer.status === 201 && path.startsWith("/v1.0/")) {
        this.#created.unshift(`${path}/${Object(answer.body).id}`);
      }
      return JSON.parse(back(JSON.stringify(answer)));
    }
  }

  #texts() {
    const translation = this.#translation;
    return {
      there: (text: string) => translation.there(text),
      back: (text: string) => translation.back(text),
    };
  }

  /** Keeps a row within its group, its rights and a euro. @throws MissingError */
  #check(method: string, path: string, body: unknown): void {
    if (path.startsWith("/v1.0/")) {
      if (!this.place.withEntra) missing("--with-entra");
      return;
    }
    if (method === "GET") return;
    const isOwn = OWN_GROUP.test(path);
    if (A_GROUP.test(path) && !(isOwn && method === "PUT")) missing("another resource group");
    if (method !== "PUT" || !NAMESPACE.test(path)) return;
    const { counts } = this.place;
    const isDear = Number(Object(Object(body).sku).capacity ?? 1) > 1;
    if (isDear || ++counts.namespaces > MOST_NAMESPACES)
      missing("more than a euro: run again with --continue");
  }
}
