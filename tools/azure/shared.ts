import { randomUUID } from "node:crypto";
import type { InputSchema } from "cloud-eventgrid-local";
import { publish, type StageTopic } from "../../test/local/parity/stage.js";
import type { Connection } from "./connection.js";
import { RefusedError } from "./connection.js";
import { Inbox, PullQueue } from "./inbox.js";
import { randomLetters, type Translation } from "./translation.js";

const DATA_SENDER = "d5a91429-5739-47e2-a06b-3470a27159e7";
const SCHEMAS = ["CloudEventSchemaV1_0", "EventGridSchema", "CustomEventSchema"] as const;

/** Milliseconds for an event to pass a filter after another one has come without a filter. */
const GRACE_MS = 10_000;
/** Milliseconds until a new event subscription is in force everywhere. */
const PROPAGATION_MS = 30_000;
/** Receives of ten seconds until an event without a filter must have come. */
const RECEIVES = 60;

/** A namespace, and the topics that rows share, with all their events in a queue. */
export class Shared {
  readonly #topics = new Map<InputSchema, StageTopic | Error>();
  readonly namespaceId: string;
  readonly namespace = { endpoint: "", keys: { key1: "", key2: "" } };
  #identity: object | undefined;
  #filtered: Inbox | undefined;
  #all: Inbox | undefined;

  constructor(
    readonly connection: Connection,
    readonly translation: Translation,
  ) {
    const { subscriptionId, group } = translation;
    const provider = `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers/Microsoft.EventGrid`;
    this.namespaceId = `${provider}/namespaces/${group}-shared`;
  }

  /** Creates the namespace and the topics. */
  async open(): Promise<void> {
    const { region } = this.translation;
    const { connection, namespaceId: id } = this;
    const identity = { type: "SystemAssigned" };
    await connection.done("PUT", id, {
      location: region,
      sku: { name: "Standard", capacity: 1 },
      properties: {},
    });
    const { body } = await connection.call("GET", id);
    const { hostname } = Object(body).properties.topicsConfiguration;
    const keys = await connection.done("POST", `${id}/listKeys`);
    Object.assign(this.namespace, { endpoint: `https://${hostname}`, keys: keys.body });
    [this.#filtered, this.#all] = await Promise.all(
      ["filtered", "all"].map((name) => this.#inbox(name)),
    );
    await Promise.all(
      SCHEMAS.map(async (schema) => {
        const topic = await this.topic(
          `${this.translation.group}-shared-${schema.slice(0, 5).toLowerCase()}`,
          {
            location: region,
            identity,
            properties: { inputSchema: schema, ...(schema === "CustomEventSchema" && MAPPING) },
          },
        ).catch((error: Error) => error);
        this.#topics.set(schema, topic);
        if (topic instanceof Error) return;
        await this.#allowRouting(topic.id);
        await this.route(topic.id, "all", "all", {});
      }),
    );
    const failed = this.#topics.get("CloudEventSchemaV1_0");
    if (failed instanceof Error) throw failed;
  }

  /** The topic that rows share. @throws the error of its creation */
  topicFor(schema: InputSchema): StageTopic {
    const topic = this.#topics.get(schema);
    if (topic instanceof Error || topic === undefined) throw topic ?? new Error("not opened");
    return topic;
  }

  /** Creates a topic. @throws RefusedError */
  async topic(name: string, body: object): Promise<StageTopic> {
    const id = this.namespaceId.replace(/namespaces\/.*/, `topics/${name}`);
    await this.connection.done("PUT", id, body);
    const read = Object((await this.connection.done("GET", id)).body);
    const keys = Object((await this.connection.done("POST", `${id}/listKeys`)).body);
    return {
      name,
      id: this.translation.back(id),
      location: this.translation.back(read.location),
      endpoint: read.properties.endpoint,
      inputSchema: read.properties.inputSchema,
      accessKey: keys.key1,
      keys: () => keys,
    };
  }

  /** The destination of an event subscription: a topic of the namespace. */
  destination(topic: "filtered" | "all") {
    const resourceId = `${this.namespaceId}/topics/${topic}`;
    const destination = { endpointType: "NamespaceTopic", properties: { resourceId } };
    if (this.#identity === undefined) return { destination };
    return { deliveryWithResourceIdentity: { identity: this.#identity, destination } };
  }

  /** Subscribes a topic of the namespace to events. */
  async route(scope: string, name: string, to: "filtered" | "all", properties: object) {
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
    const { wait } = this.connection.surroundings;
    const topic = this.topicFor(schema);
    const mark = `mark-${randomLetters(12)}`;
    const { advancedFilters = [], data = {} } = { ...filter, ...event } as Marked;
    const marked = { key: "data.mark", operatorType: "StringIn", values: [mark] };
    const id = await this.route(topic.id, mark, "filtered", {
      filter: { ...filter, advancedFilters: [...advancedFilters, marked] },
    });
    for (const pause of [0, PROPAGATION_MS]) {
      await wait(pause);
      const content = { ...event, data: { ...data, mark } };
      const answer = await publish(topic, [content]);
      if (answer.status !== 200) throw new Error(answer.text);
      if (!(await this.#all?.comes(mark, RECEIVES)))
        throw new Error("no event has come to the namespace in ten minutes");
      if (await this.#cameFiltered(mark)) break;
    }
    await this.connection.call("DELETE", id);
    return this.#filtered?.has(mark) === true;
  }

  /** Waits a while, and for an event that was published after it. */
  async #cameFiltered(mark: string): Promise<boolean> {
    if (this.#filtered === undefined || this.#filtered.has(mark)) return true;
    await this.connection.surroundings.wait(GRACE_MS);
    const last = `mark-${randomLetters(12)}`;
    const event = { specversion: "1.0", id: last, source: "/", type: "mark", data: last };
    await this.#filtered.queue.publish(event);
    await this.#filtered.comes(last, RECEIVES);
    return this.#filtered.has(mark);
  }

  async #inbox(name: string): Promise<Inbox> {
    const topic = `${this.namespaceId}/topics/${name}`;
    await this.connection.done("PUT", topic, { properties: {} });
    await this.connection.done("PUT", `${topic}/eventSubscriptions/queue`, {
      properties: { deliveryConfiguration: { deliveryMode: "Queue", queue: {} } },
    });
    const { fetch } = this.connection.surroundings;
    const { endpoint, keys } = this.namespace;
    return new Inbox(new PullQueue(fetch, endpoint, keys.key1, name, "queue"));
  }

  /** Lets a topic publish to the namespace, if this account may assign roles. */
  async #allowRouting(topicId: string): Promise<void> {
    const { connection, namespaceId, translation } = this;
    const { body } = await connection.done("GET", translation.there(topicId));
    const roles = `/subscriptions/${translation.subscriptionId}/providers/Microsoft.Authorization`;
    const properties = {
      principalId: Object(body).identity.principalId,
      principalType: "ServicePrincipal",
      roleDefinitionId: `${roles}/roleDefinitions/${DATA_SENDER}`,
    };
    const id = `${namespaceId}/providers/Microsoft.Authorization/roleAssignments/${randomUUID()}`;
    try {
      await connection.done("PUT", id, { properties });
    } catch (error) {
      if (!(error instanceof RefusedError && [403, 409].includes(error.status))) throw error;
      if (error.status === 403) return;
    }
    this.#identity = { type: "SystemAssigned" };
  }
}

interface Marked {
  readonly advancedFilters?: readonly object[];
  readonly data?: object;
}

/** Azure requires a mapping for custom events. */
const MAPPING = {
  inputSchemaMapping: {
    inputSchemaMappingType: "Json",
    properties: {
      eventType: { defaultValue: "shop.placed" },
      subject: { defaultValue: "orders/1" },
    },
  },
};
