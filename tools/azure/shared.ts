import { randomUUID } from "node:crypto";
import type { InputSchema, NewTopic } from "cloud-eventgrid-local";
import { GROUP, publish, type StageTopic } from "../../test/local/parity/stage.js";
import type { Webhook } from "../../test/local/support/webhook.js";
import type { Connection } from "./connection.js";
import { Inbox, Namespace } from "./namespace.js";
import { randomLetters, type Translation } from "./translation.js";

const DATA_SENDER = "d5a91429-5739-47e2-a06b-3470a27159e7";
const SCHEMAS = ["CloudEventSchemaV1_0", "EventGridSchema", "CustomEventSchema"] as const;
const SYSTEM_ASSIGNED = { type: "SystemAssigned" };

/** Milliseconds until a new event subscription is in force everywhere. */
const PROPAGATION_MS = 30_000;
/** Milliseconds for an event to pass a filter after another one has come without a filter. */
const GRACE_MS = 10_000;
/** Receives of ten seconds until an event without a filter must have come. */
const RECEIVES = 60;

/** What rows share: a namespace, and topics with all their events in a queue of the namespace. */
export class Shared {
  /** Paths of the namespaces that rows have created. */
  readonly namespaces = new Set<string>();
  readonly #topics = new Map<InputSchema, StageTopic>();

  private constructor(
    readonly connection: Connection,
    readonly translation: Translation,
    readonly webhook: Webhook | undefined,
    readonly namespace: Namespace,
    private readonly filtered: Inbox,
    private readonly all: Inbox,
  ) {}

  /** Creates the namespace and the topics. */
  static async open(
    connection: Connection,
    translation: Translation,
    webhook: Webhook | undefined,
  ): Promise<Shared> {
    const { group, region } = translation;
    const id = translation.there(`${GROUP}/providers/Microsoft.EventGrid/namespaces/`);
    const namespace = await Namespace.open(connection, `${id}${group}-shared`, region);
    const filtered = new Inbox(await namespace.newQueue("filtered"));
    const all = new Inbox(await namespace.newQueue("all"));
    const shared = new Shared(connection, translation, webhook, namespace, filtered, all);
    await Promise.all(SCHEMAS.map((schema) => shared.#openTopic(schema)));
    return shared;
  }

  async #openTopic(inputSchema: InputSchema): Promise<void> {
    const name = `${this.translation.group}-shared-${inputSchema.slice(0, 5).toLowerCase()}`;
    const mapping = inputSchema === "CustomEventSchema" ? { inputSchemaMapping: MAPPING } : {};
    const topic = await this.newTopic({ name, inputSchema, ...mapping }, SYSTEM_ASSIGNED);
    this.#topics.set(inputSchema, topic);
    const id = this.translation.there(topic.id);
    await this.#allowRouting(id);
    await this.#route(id, "all", "all");
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
    const id = translation.there(`${GROUP}/providers/Microsoft.EventGrid/topics/${name}`);
    const inputSchemaMapping = properties && { inputSchemaMappingType: "Json", properties };
    await connection.done("PUT", id, {
      location: translation.region,
      identity,
      properties: { inputSchema, inputSchemaMapping },
    });
    const topic = Object(await connection.done("GET", id));
    const keys = Object(await connection.done("POST", `${id}/listKeys`));
    return {
      name: topic.name,
      id: translation.back(id),
      location: translation.back(topic.location),
      endpoint: topic.properties.endpoint,
      inputSchema: topic.properties.inputSchema,
      accessKey: keys.key1,
      keys: () => keys,
    };
  }

  /** Subscribes a topic of the namespace to events. */
  async #route(topicId: string, name: string, to: "filtered" | "all", filter?: object) {
    const id = `${topicId}/providers/Microsoft.EventGrid/eventSubscriptions/${name}`;
    const resourceId = `${this.namespace.id}/topics/${to}`;
    const destination = { endpointType: "NamespaceTopic", properties: { resourceId } };
    const deliveryWithResourceIdentity = { identity: SYSTEM_ASSIGNED, destination };
    const eventDeliverySchema = "CloudEventSchemaV1_0";
    await this.connection.done("PUT", id, {
      properties: { deliveryWithResourceIdentity, eventDeliverySchema, filter },
    });
    return id;
  }

  /**
   * Whether an event passes a filter. The event and the filter get a mark, so that rows can share a
   * topic.
   */
  async passes(schema: InputSchema, filter: object, event: object): Promise<boolean> {
    const { connection, filtered, all } = this;
    const { wait } = connection.surroundings;
    const topic = this.topicFor(schema);
    const mark = newMark();
    const { advancedFilters = [], data = {} } = { ...filter, ...event } as Marked;
    const marked = { key: "data.mark", operatorType: "StringIn", values: [mark] };
    const id = await this.#route(this.translation.there(topic.id), mark, "filtered", {
      ...filter,
      advancedFilters: [...advancedFilters, marked],
    });
    await wait(PROPAGATION_MS);
    const answer = await publish(topic, [{ ...event, data: { ...data, mark } }]);
    if (answer.status !== 200) throw new Error(answer.text);
    if (!(await all.comes(mark, RECEIVES)))
      throw new Error("no event has come to the namespace in ten minutes");
    if (!filtered.has(mark)) {
      await wait(GRACE_MS);
      // When this event has come, the one with the mark has come too, if it passes.
      const last = newMark();
      const lastEvent = { specversion: "1.0", id: last, source: "/", type: "mark", data: last };
      await filtered.queue.publish(lastEvent);
      await filtered.comes(last, RECEIVES);
    }
    await connection.call("DELETE", id);
    return filtered.has(mark);
  }

  /** Lets a topic publish to the namespace. */
  async #allowRouting(topicId: string): Promise<void> {
    const { identity } = Object(await this.connection.done("GET", topicId));
    const roles = topicId.replace(/resourceGroups.*/, "providers/Microsoft.Authorization");
    const properties = {
      principalId: identity.principalId,
      principalType: "ServicePrincipal",
      roleDefinitionId: `${roles}/roleDefinitions/${DATA_SENDER}`,
    };
    const assignments = `${this.namespace.id}/providers/Microsoft.Authorization/roleAssignments`;
    const id = `${assignments}/${randomUUID()}`;
    const answer = await this.connection.call("PUT", id, { properties });
    // A killed run that continues has assigned it.
    if (answer.status !== 409) await this.connection.succeeded(answer, `PUT ${id}`);
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
