import * as v from "valibot";
import {
  anyObject,
  checkOptions,
  fields,
  flag,
  oneOf,
  optionalFields,
  serviceError,
  subscriptionOf,
  text,
  textWhere,
} from "../../base/index.js";
import { type AccessKeyName, type AccessKeys, newAccessKeys } from "../credentials.js";
import {
  Endpoint,
  type EndpointServices,
  Endpoints,
  type EndpointsServices,
  endpointNameRule,
  endpointSettings,
  isEndpointName,
  type NewEndpoint,
} from "../endpoints.js";
import {
  type AcceptedEvent,
  type BoundedHistory,
  type InputSchema,
  type PublishedCatalogue,
  type PublishedEventOf,
  type PublishedPayloads,
  publishedEvents,
} from "../events/index.js";
import { type InputSchemaMapping, inputSchemaMapping } from "./input-schema-mapping.js";

/** Settings of a new custom topic. */
export interface NewTopic extends NewEndpoint {
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
  ...endpointSettings,
  localAuthEnabled: v.optional(flag),
  inputSchema: v.optional(oneOf("CloudEventSchemaV1_0", "EventGridSchema", "CustomEventSchema")),
  inputSchemaMapping: v.optional(inputSchemaMapping),
};

interface TopicServices extends EndpointServices {
  readonly newHistory: () => BoundedHistory<AcceptedEvent>;
}

/** A custom topic, or a domain, whose events choose one of the domain's topics. */
export class Topic extends Endpoint {
  readonly isDomain: boolean;
  readonly inputSchema: InputSchema;
  readonly inputSchemaMapping: InputSchemaMapping | undefined;
  /** Whether publishers may use the keys; otherwise Entra tokens only. */
  localAuthEnabled: boolean;
  /**
   * A key that is accepted even if local authentication is off, so that tests and the local Azure's own
   * tools can publish. Azure has no such key.
   */
  readonly publishKey: string = newAccessKeys().key1;
  /** @internal */
  readonly history: BoundedHistory<AcceptedEvent>;
  readonly #domainTopics = new Map<string, string>();

  /** @internal */
  constructor(props: NewTopic, services: TopicServices, keys?: AccessKeys) {
    super(props, services, keys);
    this.isDomain = services.kind === "domain";
    this.inputSchema = props.inputSchema ?? "CloudEventSchemaV1_0";
    this.inputSchemaMapping = props.inputSchemaMapping;
    this.localAuthEnabled = props.localAuthEnabled ?? true;
    this.history = services.newHistory();
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

  /**
   * The accepted events, oldest first, limited by the cloud's `history`.
   *
   * @param catalogue of `defineEvents`: returns the events of its types, and types their `data`
   */
  events<Payloads extends PublishedPayloads>(
    catalogue?: PublishedCatalogue<Payloads>,
  ): PublishedEventOf<Payloads>[] {
    return publishedEvents(this.history.list(), catalogue);
  }
}

export type TopicChange = Pick<NewTopic, "localAuthEnabled" | "attributes">;

const newTopic = fields({ name: text, ...topicSettings, attributes: v.optional(anyObject) });
const topicChange = optionalFields({ localAuthEnabled: flag, attributes: anyObject });

/** Schema of a topic in a configuration file. */
export const topicSchema = fields({
  name: textWhere((name) => isEndpointName("topic", name), endpointNameRule("topic")),
  ...topicSettings,
});

/** The custom topics of the cloud, or its domains. */
export class Topics extends Endpoints<Topic> {
  /** @internal */
  constructor(
    private readonly cloud: TopicServices &
      EndpointsServices<Topic> & {
        /** The subscriptions, which are deleted with their topic. */
        readonly eventSubscriptions: { deleteWithin(id: string): void };
      },
  ) {
    super(cloud);
  }

  /**
   * @throws ServiceError if the name is invalid or taken
   * @throws LocalCloudError `ERR_STOPPED`, `ERR_OPTIONS`
   */
  create(props: NewTopic): Topic {
    this.cloud.running.check();
    checkOptions(newTopic, props, `Invalid options of a ${this.cloud.kind}`);
    return this.add(new Topic(props, this.cloud));
  }

  /**
   * @throws ServiceError 404 if the topic does not exist
   * @throws LocalCloudError `ERR_OPTIONS`
   */
  update(id: string, change: TopicChange): Topic {
    checkOptions(topicChange, change, `Invalid changes of a ${this.cloud.kind}`);
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

  /** Deletes the topic's event subscriptions with it. `false` if the topic does not exist. */
  delete(id: string): boolean {
    const topic = this.get(id);
    if (!topic) return false;
    this.cloud.store.delete(id);
    this.cloud.eventSubscriptions.deleteWithin(topic.id);
    return true;
  }

  /** @internal */
  snapshot() {
    return this.list().map((topic) => {
      const { name, resourceGroupName, location, localAuthEnabled, attributes } = topic;
      const { inputSchema, inputSchemaMapping } = topic;
      const subscriptionId = subscriptionOf(topic.id);
      const settings = { subscriptionId, name, resourceGroupName, location };
      return {
        props: { ...settings, localAuthEnabled, attributes, inputSchema, inputSchemaMapping },
        keys: topic.keys(),
        domainTopics: topic.domainTopics(),
      };
    });
  }

  /** @internal */
  restore(
    topics: readonly {
      readonly props: NewTopic;
      readonly keys: AccessKeys;
      readonly domainTopics: readonly string[];
    }[],
  ): void {
    for (const { props, keys, domainTopics } of topics) {
      const topic = new Topic(props, this.cloud, keys);
      for (const name of domainTopics) topic.addDomainTopic(name);
      this.cloud.store.put(topic);
    }
  }

  #get(id: string): Topic {
    const topic = this.get(id);
    if (topic) return topic;
    throw serviceError.ResourceNotFound(`The Resource '${id}' was not found.`);
  }
}
