import * as v from "valibot";
import {
  checkOptions,
  fields,
  invalidRequest,
  list,
  ResourceStore,
  ServiceError,
  text,
} from "../../base/index.js";
import { type AccessKeys, KeyOwner, newAccessKeys } from "../credentials.js";
import {
  DEFAULT_RETENTION_DAYS,
  NamespaceTopic,
  type NamespaceTopicSnapshot,
  type NewNamespaceTopic,
  namespaceTopicSchema,
  newNamespaceTopic,
  type TopicServices,
} from "./namespace-topic.js";
import { nameProblems } from "./settings.js";

/** Settings of a new namespace. */
export interface NewNamespace {
  /** 3 to 50 letters, digits and hyphens; unique in its location, as it is part of the host name. */
  readonly name: string;
  /** @default "local" */
  readonly resourceGroupName?: string | undefined;
  /** @default "westeurope" */
  readonly location?: string | undefined;
  /** The first key. @default a random one */
  readonly accessKey?: string | undefined;
}

const namespaceFields = {
  name: text,
  resourceGroupName: v.optional(text),
  location: v.optional(text),
  accessKey: v.optional(text),
};

export const newNamespace = fields(namespaceFields);

/** Schema of a namespace in a configuration file. */
export const namespaceSchema = fields({
  ...namespaceFields,
  topics: v.optional(list(namespaceTopicSchema)),
});

export interface NamespaceSnapshot {
  readonly props: NewNamespace;
  readonly keys: AccessKeys;
  readonly attributes: Attributes;
  readonly topics: readonly NamespaceTopicSnapshot[];
}

/** The fields from Resource Manager that nothing else reads, stored unchanged. */
type Attributes = Readonly<Record<string, unknown>>;

export interface NamespaceServices extends TopicServices {
  /** Address of the HTTP server. */
  readonly origin: string;
}

/** A namespace: topics whose events receivers pull, or that are pushed to webhooks. */
export class Namespace extends KeyOwner {
  /** The resource ID. */
  readonly id: string;
  readonly name: string;
  readonly resourceGroupName: string;
  readonly location: string;
  /** The address for Microsoft's clients, whose requests have the paths `/topics/…` below it. */
  readonly endpoint: string;
  /** Its topics. */
  readonly topics: NamespaceTopics;
  /** @internal */
  attributes: Attributes;

  /** @internal */
  constructor(
    props: NewNamespace,
    services: NamespaceServices,
    keys: AccessKeys = newAccessKeys(props.accessKey),
    attributes: Attributes = {},
  ) {
    super(keys);
    const { name, resourceGroupName = "local", location = "westeurope" } = props;
    this.id = `/subscriptions/${services.subscriptionId}/resourceGroups/${resourceGroupName}/providers/Microsoft.EventGrid/namespaces/${name}`;
    this.name = name;
    this.resourceGroupName = resourceGroupName;
    this.location = location;
    this.endpoint = `${services.origin}${this.path}`;
    this.topics = new NamespaceTopics(this.id, services);
    this.attributes = attributes;
  }

  /** Path of the endpoint: in Azure its segment is part of the host name. */
  get path(): string {
    return `/${this.name}.${this.location}-1`.toLowerCase();
  }

  /** @internal */
  snapshot(): NamespaceSnapshot {
    const { name, resourceGroupName, location, attributes } = this;
    const props = { name, resourceGroupName, location };
    return { props, keys: this.keys(), attributes, topics: this.topics.snapshot() };
  }
}

/** The topics of one namespace. */
export class NamespaceTopics {
  readonly #all = new ResourceStore<NamespaceTopic>();

  /** @internal */
  constructor(
    private readonly namespaceId: string,
    private readonly services: TopicServices,
  ) {}

  /**
   * @throws ServiceError if the name is taken, or a setting is invalid
   * @throws LocalCloudError `ERR_STOPPED`, `ERR_OPTIONS`
   */
  create(props: NewNamespaceTopic): NamespaceTopic {
    checkOptions(newNamespaceTopic, props, "Invalid options of a namespace topic");
    if (this.get(props.name)) {
      throw new ServiceError(409, "Conflict", `The topic '${props.name}' already exists.`);
    }
    return this.write(props);
  }

  /**
   * Creates or changes a topic. The keys, events and event subscriptions of an existing one stay.
   *
   * @throws ServiceError and LocalCloudError as `create`
   */
  put(props: NewNamespaceTopic): NamespaceTopic {
    checkOptions(newNamespaceTopic, props, "Invalid options of a namespace topic");
    return this.write(props);
  }

  /** @internal Creates or changes a topic. */
  write(props: NewNamespaceTopic): NamespaceTopic {
    this.services.running.check();
    const { name, eventRetentionInDays: days = DEFAULT_RETENTION_DAYS } = props;
    const problems = [...nameProblems("Topic", name)];
    if (!(Number.isInteger(days) && days >= 1 && days <= 7)) {
      problems.push(`eventRetentionInDays must be an integer from 1 to 7, not ${days}.`);
    }
    if (problems.length > 0) throw invalidRequest(problems.join(" "));
    const topic = this.get(name) ?? new NamespaceTopic(props, this.namespaceId, this.services);
    topic.eventRetentionInDays = days;
    this.#all.put(topic);
    return topic;
  }

  get(name: string): NamespaceTopic | undefined {
    return this.#all.get(`${this.namespaceId}/topics/${name}`);
  }

  list(): NamespaceTopic[] {
    return this.#all.list();
  }

  /** Deletes the topic's event subscriptions with it. `false` if the topic does not exist. */
  delete(name: string): boolean {
    const topic = this.get(name);
    if (!topic) return false;
    for (const subscription of topic.subscriptions.list()) {
      topic.subscriptions.delete(subscription.name);
    }
    return this.#all.delete(topic.id);
  }

  /** @internal */
  snapshot(): NamespaceTopicSnapshot[] {
    return this.list().map((topic) => topic.snapshot());
  }

  /** @internal */
  restore(topics: readonly NamespaceTopicSnapshot[]): void {
    for (const { keys, subscriptions, ...props } of topics) {
      const topic = new NamespaceTopic(props, this.namespaceId, this.services, keys);
      this.#all.put(topic);
      topic.subscriptions.restore(subscriptions);
    }
  }
}
