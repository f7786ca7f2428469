import * as v from "valibot";
import {
  anyObject,
  checkOptions,
  fields,
  flag,
  invalidRequest,
  matching,
  oneOf,
  optionalFields,
  type ResourceStore,
  ServiceError,
  text,
} from "../../base/index.js";
import { type AccessKeyName, type AccessKeys, KeyOwner, newAccessKeys } from "../credentials.js";
import type { AcceptedEvent, BoundedHistory, InputSchema } from "../events/index.js";
import { type InputSchemaMapping, inputSchemaMapping } from "./input-schema-mapping.js";

/** Custom topics, and domains, whose events choose one of the domain's topics. */
export type TopicCollection = "topics" | "domains";

/** Settings of a new custom topic. */
export interface NewTopic {
  /** 3 to 50 letters, digits and hyphens; unique in its location, as in Azure it is a host name. */
  readonly name: string;
  /** @default "local" */
  readonly resourceGroupName?: string | undefined;
  /** @default "westeurope" */
  readonly location?: string | undefined;
  /** The first key. @default a random one */
  readonly accessKey?: string | undefined;
  /** @default "CloudEventSchemaV1_0"; through Resource Manager the default is `EventGridSchema` */
  readonly inputSchema?: InputSchema | undefined;
  /** For a topic with a custom schema. @default generated or empty attributes */
  readonly inputSchemaMapping?: InputSchemaMapping | undefined;
  /** Whether publishers may use the keys. @default true */
  readonly localAuthEnabled?: boolean | undefined;
  /** The other fields from Resource Manager, stored unchanged. */
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
}

/** Schema of the settings of a topic other than its name. */
const topicSettings = {
  resourceGroupName: v.optional(text),
  location: v.optional(text),
  accessKey: v.optional(text),
  localAuthEnabled: v.optional(flag),
  inputSchema: v.optional(oneOf("CloudEventSchemaV1_0", "EventGridSchema", "CustomEventSchema")),
  inputSchemaMapping: v.optional(inputSchemaMapping),
};

/** A topic as it is persisted. */
export interface TopicSnapshot {
  readonly props: NewTopic;
  readonly keys: AccessKeys;
  /** Names of a domain's topics. */
  readonly domainTopics?: readonly string[] | undefined;
}

/** A custom topic, or a domain. */
export class Topic extends KeyOwner {
  /** The resource ID. */
  readonly id: string;
  readonly isDomain: boolean;
  readonly name: string;
  readonly resourceGroupName: string;
  readonly location: string;
  /** The URL to publish to. */
  readonly endpoint: string;
  readonly inputSchema: InputSchema;
  readonly inputSchemaMapping: InputSchemaMapping | undefined;
  /** Whether publishers may use the keys; otherwise Entra tokens only. */
  localAuthEnabled: boolean;
  /**
   * A key that is accepted even if local authentication is off, so that tests and the local Azure's own
   * tools can publish. Azure has no such key.
   */
  readonly publishKey: string = newAccessKeys().key1;
  /** The other fields from Resource Manager, stored unchanged. */
  attributes: Readonly<Record<string, unknown>>;
  readonly #history: BoundedHistory<AcceptedEvent>;
  readonly #domainTopics = new Map<string, string>();

  constructor(
    props: NewTopic,
    cloud: {
      readonly collection: TopicCollection;
      readonly subscriptionId: string;
      readonly origin: string;
      readonly newHistory: () => BoundedHistory<AcceptedEvent>;
    },
    keys: AccessKeys = newAccessKeys(props.accessKey),
  ) {
    super(keys);
    const { name, resourceGroupName = "local", location = "westeurope" } = props;
    this.id = `/subscriptions/${cloud.subscriptionId}/resourceGroups/${resourceGroupName}/providers/Microsoft.EventGrid/${cloud.collection}/${name}`;
    this.isDomain = cloud.collection === "domains";
    this.name = name;
    this.resourceGroupName = resourceGroupName;
    this.location = location;
    this.endpoint = `${cloud.origin}${this.path}`;
    this.inputSchema = props.inputSchema ?? "CloudEventSchemaV1_0";
    this.inputSchemaMapping = props.inputSchemaMapping;
    this.localAuthEnabled = props.localAuthEnabled ?? true;
    this.attributes = props.attributes ?? {};
    this.#history = cloud.newHistory();
  }

  /** Path of the endpoint. Its first segment is part of the host name in Azure. */
  get path(): string {
    return `/${this.name}.${this.location}-1/api/events`.toLowerCase();
  }

  /** Names of the domain's topics. */
  domainTopics(): string[] {
    return [...this.#domainTopics.values()];
  }

  /** @internal */
  addDomainTopic(name: string): void {
    this.#domainTopics.set(name.toLowerCase(), name);
  }

  /** @internal `false` if it does not exist */
  deleteDomainTopic(name: string): boolean {
    return this.#domainTopics.delete(name.toLowerCase());
  }

  /** @internal */
  hasDomainTopic(name: string): boolean {
    return this.#domainTopics.has(name.toLowerCase());
  }

  /** The accepted events, oldest first, limited by the cloud's `history`. */
  events(): AcceptedEvent[] {
    return this.#history.list();
  }

  /** @internal */
  snapshot(): TopicSnapshot {
    const { name, resourceGroupName, location, localAuthEnabled, attributes } = this;
    const { inputSchema, inputSchemaMapping } = this;
    const settings = { name, resourceGroupName, location, localAuthEnabled, attributes };
    return {
      props: { ...settings, inputSchema, inputSchemaMapping },
      keys: this.keys(),
      ...(this.isDomain ? { domainTopics: this.domainTopics() } : {}),
    };
  }

  /** @internal */
  remember(event: AcceptedEvent): void {
    this.#history.add(event, event.sizeInBytes);
  }

  /** @internal */
  forgetEvents(): void {
    this.#history.clear();
  }
}

export type TopicChange = Pick<NewTopic, "localAuthEnabled" | "attributes">;

/** @see https://learn.microsoft.com/azure/event-grid/troubleshoot-errors#error-code-400 */
const NAME = /^(?!Microsoft|EventGrid|System)[-a-zA-Z0-9]{3,50}$/i;

const newTopic = fields({ name: text, ...topicSettings, attributes: v.optional(anyObject) });
const topicChange = optionalFields({ localAuthEnabled: flag, attributes: anyObject });

/** Schema of a topic in a configuration file. */
export const topicSchema = fields({
  name: matching(
    NAME,
    "3 to 50 letters, digits or hyphens that do not begin with Microsoft, EventGrid or System",
  ),
  ...topicSettings,
});

/** The custom topics of the cloud, or its domains. */
export class Topics {
  constructor(
    private readonly cloud: {
      readonly collection: TopicCollection;
      readonly store: ResourceStore<Topic>;
      readonly subscriptionId: string;
      /** Known once the server listens. */
      readonly origin: string;
      readonly running: { check(): void };
      readonly newHistory: () => BoundedHistory<AcceptedEvent>;
      readonly onTopic: (topic: Topic) => void;
      /** The subscriptions, which are deleted with their topic. */
      readonly eventSubscriptions: { deleteWithin(id: string): void };
    },
  ) {}

  /**
   * @throws ServiceError if the name is invalid or taken
   * @throws LocalCloudError `ERR_STOPPED`, `ERR_OPTIONS`
   */
  create(props: NewTopic): Topic {
    this.cloud.running.check();
    checkOptions(newTopic, props, `Invalid options of a ${this.#noun}`);
    const { name } = props;
    if (!NAME.test(name)) {
      throw invalidRequest(
        `${this.#noun === "domain" ? "Domain" : "Topic"} name '${name}' is invalid. It must have 3 to 50 letters, digits or hyphens, and must not begin with Microsoft, EventGrid or System.`,
      );
    }
    const topic = new Topic(props, this.cloud);
    if (this.get(topic.id) || this.atPath(topic.path)) {
      throw new ServiceError(
        409,
        "Conflict",
        `The ${this.#noun} '${name}' already exists in ${topic.location}; the name must be unique there.`,
      );
    }
    this.cloud.store.put(topic);
    this.cloud.onTopic(topic);
    return topic;
  }

  /** @param id the resource ID, compared case-insensitively */
  get(id: string): Topic | undefined {
    return this.cloud.store.get(id);
  }

  /**
   * @throws ServiceError 404 if the topic does not exist
   * @throws LocalCloudError `ERR_OPTIONS`
   */
  update(id: string, change: TopicChange): Topic {
    checkOptions(topicChange, change, `Invalid changes of a ${this.#noun}`);
    const topic = this.#get(id);
    if (change.localAuthEnabled !== undefined) topic.localAuthEnabled = change.localAuthEnabled;
    if (change.attributes !== undefined) topic.attributes = change.attributes;
    return topic;
  }

  /** @throws ServiceError 404 if the topic does not exist */
  listKeys(id: string): AccessKeys {
    return this.#get(id).keys();
  }

  /** @throws ServiceError if the topic does not exist, or for an unknown key name */
  regenerateKey(id: string, name: AccessKeyName): AccessKeys {
    return this.#get(id).regenerateKey(name);
  }

  list(): Topic[] {
    return this.cloud.store.list();
  }

  /** Deletes the topic's event subscriptions with it. `false` if the topic does not exist. */
  delete(id: string): boolean {
    const topic = this.get(id);
    if (!topic) return false;
    this.cloud.store.delete(id);
    this.cloud.eventSubscriptions.deleteWithin(topic.id);
    return true;
  }

  /** @internal */
  snapshot(): TopicSnapshot[] {
    return this.list().map((topic) => topic.snapshot());
  }

  /** @internal */
  restore(topics: readonly TopicSnapshot[]): void {
    for (const snapshot of topics) {
      const topic = new Topic(snapshot.props, this.cloud, snapshot.keys);
      for (const name of snapshot.domainTopics ?? []) topic.addDomainTopic(name);
      this.cloud.store.put(topic);
    }
  }

  /** @internal the topic at the path of a publish request */
  atPath(path: string): Topic | undefined {
    return this.list().find((topic) => topic.path === path.toLowerCase());
  }

  get #noun(): "topic" | "domain" {
    return this.cloud.collection === "domains" ? "domain" : "topic";
  }

  #get(id: string): Topic {
    const topic = this.get(id);
    if (topic) return topic;
    throw new ServiceError(404, "ResourceNotFound", `The Resource '${id}' was not found.`);
  }
}
