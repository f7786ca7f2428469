import { randomUUID } from "node:crypto";
import type { InputSchema, NewTopic } from "cloud-eventgrid-local";
import {
  cloudEvent,
  eventFor,
  GROUP,
  publishEvents,
  type Stage,
  type StageTopic,
} from "../../test/local/parity/stage.js";
import {
  type AnswerTo,
  confirmValidation,
  type Webhook,
} from "../../test/local/support/webhook.js";
import { type Connection, RefusedError } from "./connection.js";
import { Queue } from "./queue.js";
import { randomLetters, type Translation } from "./translation.js";

const DATA_SENDER = "d5a91429-5739-47e2-a06b-3470a27159e7";
const SCHEMAS = ["CloudEventSchemaV1_0", "EventGridSchema", "CustomEventSchema"] as const;
const SYSTEM_ASSIGNED = { type: "SystemAssigned" };

/** Milliseconds until a new event subscription is in force everywhere. */
export const PROPAGATION_MS = 30_000;
/** Milliseconds for an event to pass a filter after another one has come without a filter. */
const GRACE_MS = 10_000;
/** Milliseconds until an event without a filter must have come. */
const ARRIVAL_MS = 100_000;
/** How often a role is tried, half a minute apart: Azure says that it takes up to ten minutes. */
const ROLE_TRIES = 12;

/** The namespace that rows share. */
export const NAMESPACE = `${GROUP}/providers/Microsoft.EventGrid/namespaces/shared-events`;
const QUEUE = { deliveryConfiguration: { deliveryMode: "Queue", queue: {} } };

/** What rows share: a namespace, and topics with all their events in a queue of the namespace. */
export class Shared {
  /** Paths of the namespaces that rows have created. */
  readonly namespaces = new Set<string>();
  /** What the webhook answers to rows that change it, by the beginning of its path. */
  readonly answers = new Map<string, AnswerTo>();
  readonly #topics = new Map<InputSchema, StageTopic>();
  readonly #filtered: Queue;
  readonly #all: Queue;

  private constructor(
    readonly connection: Connection,
    readonly translation: Translation,
    readonly webhook: Webhook | undefined,
    /** Of the namespace. */
    readonly endpoint: string,
    readonly keys: { readonly key1: string; readonly key2: string },
  ) {
    this.#filtered = this.#queue("filtered");
    this.#all = this.#queue("all");
    if (webhook === undefined) return;
    webhook.answer = (request) => {
      const [path = ""] = /^\/[^/?]*/.exec(request.path) ?? [];
      return (this.answers.get(path) ?? confirmValidation)(request);
    };
  }

  /** Creates the namespace and the topics. */
  static async open(
    connection: Connection,
    translation: Translation,
    webhook: Webhook | undefined,
  ): Promise<Shared> {
    const sku = { name: "Standard", capacity: 1 };
    await connection.done("PUT", NAMESPACE, { location: "westeurope", sku, properties: {} });
    const { properties } = Object(await connection.done("GET", NAMESPACE));
    const keys = Object(await connection.done("POST", `${NAMESPACE}/listKeys`));
    const endpoint = translation.there(`https://${properties.topicsConfiguration.hostname}`);
    const shared = new Shared(connection, translation, webhook, endpoint, keys);
    await shared.newQueue("filtered");
    await shared.newQueue("all");
    await Promise.all(SCHEMAS.map((schema) => shared.#openTopic(schema)));
    return shared;
  }

  /** Creates a topic of the namespace with an event subscription. @throws RefusedError */
  async newQueue(topic: string, name = "queue", properties: object = QUEUE, settings: object = {}) {
    const id = `${NAMESPACE}/topics/${topic}`;
    await this.connection.done("PUT", id, { properties: settings });
    await this.connection.done("PUT", `${id}/eventSubscriptions/${name}`, { properties });
    return this.#queue(topic, name);
  }

  #queue(topic: string, name = "queue"): Queue {
    return new Queue(this.connection, `${this.endpoint}/topics/${topic}`, name, this.keys.key1);
  }

  async #openTopic(inputSchema: InputSchema): Promise<void> {
    const name = `shared-${inputSchema.slice(0, 5).toLowerCase()}`;
    const mapping = inputSchema === "CustomEventSchema" ? { inputSchemaMapping: MAPPING } : {};
    const topic = await this.newTopic({ name, inputSchema, ...mapping }, SYSTEM_ASSIGNED);
    this.#topics.set(inputSchema, topic);
    // The topic's identity and its role are not in force at once.
    for (let tries = 1; ; tries++) {
      try {
        await this.#allowRouting(topic.id);
        await this.#route(topic.id, "all", "all");
        if (await this.#arrives(topic, eventFor(inputSchema), newMark(), PROPAGATION_MS)) return;
        if (tries === ROLE_TRIES) throw new Error("No event of a topic comes to the namespace.");
      } catch (error) {
        if (!(error instanceof RefusedError) || tries === ROLE_TRIES) throw error;
      }
      await this.connection.surroundings.wait(PROPAGATION_MS);
    }
  }

  topicFor(schema: InputSchema): StageTopic {
    const topic = this.#topics.get(schema);
    if (topic === undefined) throw new Error("not opened");
    return topic;
  }

  /** Creates a topic. @throws RefusedError */
  async newTopic(
    { name, inputSchema, inputSchemaMapping: properties }: Partial<NewTopic>,
    identity?: object,
  ): Promise<StageTopic> {
    const { connection, translation } = this;
    const id = `${GROUP}/providers/Microsoft.EventGrid/topics/${name}`;
    const inputSchemaMapping = properties && { inputSchemaMappingType: "Json", properties };
    await connection.done("PUT", id, {
      location: "westeurope",
      identity,
      properties: { inputSchema, inputSchemaMapping },
    });
    const topic = Object(await connection.done("GET", id));
    const keys = Object(await connection.done("POST", `${id}/listKeys`));
    return {
      name: translation.there(topic.name),
      id,
      location: topic.location,
      endpoint: translation.there(topic.properties.endpoint),
      inputSchema: topic.properties.inputSchema,
      accessKey: keys.key1,
      keys: () => keys,
    };
  }

  /** Subscribes a topic of the namespace to events. */
  async #route(topicId: string, name: string, to: "filtered" | "all", filter?: object) {
    const id = `${topicId}/providers/Microsoft.EventGrid/eventSubscriptions/${name}`;
    const resourceId = `${NAMESPACE}/topics/${to}`;
    const destination = { endpointType: "NamespaceTopic", properties: { resourceId } };
    const deliveryWithResourceIdentity = { identity: SYSTEM_ASSIGNED, destination };
    const eventDeliverySchema = "CloudEventSchemaV1_0";
    await this.connection.done("PUT", id, {
      properties: { deliveryWithResourceIdentity, eventDeliverySchema, filter },
    });
    return id;
  }

  /** Publishes an event with a mark. Returns whether it comes without a filter. */
  async #arrives(topic: StageTopic, event: object, mark: string, milliseconds: number) {
    await publishEvents(topic, [{ ...event, data: { ...Object(event).data, mark } }]);
    return this.#all.comes(mark, milliseconds);
  }

  /**
   * Whether an event passes a filter. The event and the filter get a mark, so that rows can share a
   * topic.
   */
  readonly passes: Stage["passes"] = async (schema, filter, event) => {
    const { wait } = this.connection.surroundings;
    const topic = this.topicFor(schema);
    const mark = newMark();
    const marked = { key: "data.mark", operatorType: "StringIn", values: [mark] };
    const advancedFilters = [...(filter?.advancedFilters ?? []), marked];
    const id = await this.#route(topic.id, mark, "filtered", { ...filter, advancedFilters });
    try {
      await wait(PROPAGATION_MS);
      if (!(await this.#arrives(topic, event, mark, ARRIVAL_MS)))
        throw new Error("the event has not come to the namespace, even without a filter");
      if (!this.#filtered.marks.has(mark)) {
        await wait(GRACE_MS);
        // When this event has come, the one with the mark has come too, if it passes.
        const last = newMark();
        await this.#filtered.publish(cloudEvent({ id: last, data: last }));
        await this.#filtered.comes(last, ARRIVAL_MS);
      }
    } finally {
      await this.connection.call("DELETE", id);
    }
    return this.#filtered.marks.has(mark);
  };

  /** Lets a topic publish to the namespace. */
  async #allowRouting(topicId: string): Promise<void> {
    const { connection } = this;
    const { identity } = Object(await connection.done("GET", topicId));
    const roles = topicId.replace(/resourceGroups.*/, "providers/Microsoft.Authorization");
    const id = `${NAMESPACE}/providers/Microsoft.Authorization/roleAssignments/${randomUUID()}`;
    const answer = await connection.call("PUT", id, {
      properties: {
        principalId: identity.principalId,
        principalType: "ServicePrincipal",
        roleDefinitionId: `${roles}/roleDefinitions/${DATA_SENDER}`,
      },
    });
    // An earlier try, or a killed run that continues, has assigned it.
    if (answer.status !== 409) await connection.succeeded(answer, `PUT ${id}`);
  }
}

const newMark = () => `mark-${randomLetters(12)}`;

/** Azure requires a mapping for custom events. */
const MAPPING = {
  eventType: { defaultValue: "shop.placed" },
  subject: { defaultValue: "orders/1" },
};
