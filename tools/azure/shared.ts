import { randomUUID } from "node:crypto";
import type { InputSchema, NewTopic } from "cloud-eventgrid-local";
import { publish, type StageTopic } from "../../test/local/parity/stage.js";
import type { Webhook } from "../../test/local/support/webhook.js";
import { type Connection, RefusedError } from "./connection.js";
import { Inbox, PullQueue } from "./inbox.js";
import { randomLetters, type Translation } from "./translation.js";

const DATA_SENDER = "d5a91429-5739-47e2-a06b-3470a27159e7";
const SCHEMAS = ["CloudEventSchemaV1_0", "EventGridSchema", "CustomEventSchema"] as const;
const SYSTEM_ASSIGNED = { type: "SystemAssigned" };

/** Milliseconds for an event to pass a filter after another one has come without a filter. */
const GRACE_MS = 10_000;
/** Milliseconds until a new event subscription is in force everywhere. */
const PROPAGATION_MS = 30_000;
/** Receives of ten seconds until an event without a filter must have come. */
const RECEIVES = 60;

/** What rows share: a namespace, and topics with all their events in a queue of the namespace. */
export class Shared {
  readonly namespaceId: string;
  readonly namespace = { endpoint: "", keys: { key1: "", key2: "" } };
  /** Namespaces that rows have created. */
  namespaces = 0;
  /** A run that continues gives other names. */
  #names: number;
  readonly #topics = new Map<InputSchema, StageTopic | Error>();
  readonly #providers: string;
  #identity: object | undefined;
  #inboxes: Readonly<Record<"filtered" | "all", Inbox>> | undefined;

  constructor(
    readonly connection: Connection,
    readonly translation: Translation,
    readonly webhook: Webhook | undefined,
    readonly withEntra: boolean,
  ) {
    const { subscriptionId, group } = translation;
    this.#names = connection.surroundings.now();
    this.#providers = `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers`;
    this.namespaceId = `${this.#providers}/Microsoft.EventGrid/namespaces/${group}-shared`;
  }

  /** Creates the namespace and the topics. */
  async open(): Promise<void> {
    const { connection, namespaceId: id, translation } = this;
    const sku = { name: "Standard", capacity: 1 };
    await connection.done("PUT", id, { location: translation.region, sku, properties: {} });
    const { properties } = Object(await connection.done("GET", id));
    this.namespace.endpoint = `https://${properties.topicsConfiguration.hostname}`;
    Object.assign(this.namespace.keys, await connection.done("POST", `${id}/listKeys`));
    const [filtered, all] = await Promise.all([
      this.newQueue("filtered", "queue"),
      this.newQueue("all", "queue"),
    ]);
    this.#inboxes = { filtered: new Inbox(filtered), all: new Inbox(all) };
    await Promise.all(SCHEMAS.map((schema) => this.#openTopic(schema)));
    this.topicFor("CloudEventSchemaV1_0");
  }

  async #openTopic(inputSchema: InputSchema): Promise<void> {
    const name = `${this.translation.group}-shared-${inputSchema.slice(0, 5).toLowerCase()}`;
    const options = { name, inputSchema };
    const mapped = { ...options, inputSchemaMapping: MAPPING };
    const settings = inputSchema === "CustomEventSchema" ? mapped : options;
    const topic = await this.newTopic(settings, SYSTEM_ASSIGNED).catch((error: Error) => error);
    this.#topics.set(inputSchema, topic);
    if (topic instanceof Error) return;
    await this.#allowRouting(this.translation.there(topic.id));
    await this.#route(topic.id, "all", "all", {});
  }

  newName(): string {
    return `row-${++this.#names}`;
  }

  /** The topic that rows share. @throws the error of its creation */
  topicFor(schema: InputSchema): StageTopic {
    const topic = this.#topics.get(schema);
    if (topic instanceof Error || topic === undefined) throw topic ?? new Error("not opened");
    return topic;
  }

  /** Creates a topic. @throws RefusedError */
  async newTopic(
    { name, location, inputSchema, inputSchemaMapping: properties }: Omit<NewTopic, "identity">,
    identity?: object,
  ): Promise<StageTopic> {
    const { connection, translation } = this;
    const id = `${this.#providers}/Microsoft.EventGrid/topics/${name}`;
    const inputSchemaMapping = properties && { inputSchemaMappingType: "Json", properties };
    await connection.done("PUT", id, {
      location: location ?? translation.region,
      identity,
      properties: { inputSchema, inputSchemaMapping },
    });
    const topic = Object(await connection.done("GET", id));
    const keys = Object(await connection.done("POST", `${id}/listKeys`));
    return {
      name,
      id: translation.back(id),
      location: translation.back(topic.location),
      endpoint: topic.properties.endpoint,
      inputSchema: topic.properties.inputSchema,
      accessKey: keys.key1,
      keys: () => keys,
    };
  }

  /** Creates a topic of the namespace with an event subscription. @throws RefusedError */
  async newQueue(
    topic: string,
    name: string,
    properties: object = { deliveryConfiguration: { deliveryMode: "Queue", queue: {} } },
    topicProperties: object = {},
  ): Promise<PullQueue> {
    const { connection, namespace } = this;
    const id = `${this.namespaceId}/topics/${topic}`;
    await connection.done("PUT", id, { properties: topicProperties });
    await connection.done("PUT", `${id}/eventSubscriptions/${name}`, { properties });
    const url = `${namespace.endpoint}/topics/${topic}`;
    return new PullQueue(connection.surroundings.fetch, url, name, namespace.keys.key1);
  }

  /** The destination of an event subscription: a topic of the namespace. */
  destination(topic: "filtered" | "all") {
    const resourceId = `${this.namespaceId}/topics/${topic}`;
    const destination = { endpointType: "NamespaceTopic", properties: { resourceId } };
    if (this.#identity === undefined) return { destination };
    return { deliveryWithResourceIdentity: { identity: this.#identity, destination } };
  }

  /** Subscribes a topic of the namespace to events. */
  async #route(scope: string, name: string, to: "filtered" | "all", properties: object) {
    const id = `${this.translation.there(scope)}/providers/Microsoft.EventGrid/eventSubscriptions/${name}`;
    const eventDeliverySchema = "CloudEventSchemaV1_0";
    await this.connection.done("PUT", id, {
      properties: { ...this.destination(to), eventDeliverySchema, ...properties },
    });
    return id;
  }

  /**
   * Whether an event passes a filter. The event and the filter get a mark, so that rows can share a
   * topic. An event that does not come is sent again when the filter must be in force.
   */
  async passes(schema: InputSchema, filter: object, event: object): Promise<boolean> {
    if (this.#inboxes === undefined) throw new Error("not opened");
    const { filtered, all } = this.#inboxes;
    const { wait } = this.connection.surroundings;
    const topic = this.topicFor(schema);
    const mark = newMark();
    const { advancedFilters = [], data = {} } = { ...filter, ...event } as Marked;
    const marked = { key: "data.mark", operatorType: "StringIn", values: [mark] };
    const id = await this.#route(topic.id, mark, "filtered", {
      filter: { ...filter, advancedFilters: [...advancedFilters, marked] },
    });
    for (const pause of [0, PROPAGATION_MS]) {
      await wait(pause);
      const answer = await publish(topic, [{ ...event, data: { ...data, mark } }]);
      if (answer.status !== 200) throw new Error(answer.text);
      if (!(await all.comes(mark, RECEIVES)))
        throw new Error("no event has come to the namespace in ten minutes");
      if (filtered.has(mark)) break;
      await wait(GRACE_MS);
      // When this event has come, the one with the mark has come too, if it passes.
      const last = newMark();
      const lastEvent = { specversion: "1.0", id: last, source: "/", type: "mark", data: last };
      await filtered.queue.publish(lastEvent);
      await filtered.comes(last, RECEIVES);
      if (filtered.has(mark)) break;
    }
    await this.connection.call("DELETE", id);
    return filtered.has(mark);
  }

  /** Lets a topic publish to the namespace, if this account may assign roles. */
  async #allowRouting(topicId: string): Promise<void> {
    const { connection, namespaceId, translation } = this;
    const { identity } = Object(await connection.done("GET", topicId));
    const roles = `/subscriptions/${translation.subscriptionId}/providers/Microsoft.Authorization`;
    const properties = {
      principalId: identity.principalId,
      principalType: "ServicePrincipal",
      roleDefinitionId: `${roles}/roleDefinitions/${DATA_SENDER}`,
    };
    const id = `${namespaceId}/providers/Microsoft.Authorization/roleAssignments/${randomUUID()}`;
    try {
      await connection.done("PUT", id, { properties });
    } catch (error) {
      // A run that continues has assigned it.
      if (!(error instanceof RefusedError && [403, 409].includes(error.status))) throw error;
      if (error.status === 403) return;
    }
    this.#identity = SYSTEM_ASSIGNED;
  }
}

const newMark = () => `mark-${randomLetters(12)}`;

interface Marked {
  readonly advancedFilters?: readonly object[];
  readonly data?: object;
}

/** Azure requires a mapping for custom events. */
const MAPPING = {
  eventType: { defaultValue: "shop.placed" },
  subject: { defaultValue: "orders/1" },
};
