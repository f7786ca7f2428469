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
import type { AccessKeys } from "../credentials.js";
import {
  Endpoint,
  type EndpointServices,
  endpointSettings,
  type NewEndpoint,
} from "../endpoints.js";
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
export type NewNamespace = NewEndpoint;

const namespaceFields = { name: text, ...endpointSettings };

export const newNamespace = fields(namespaceFields);

/** Schema of a namespace in a configuration file. */
export const namespaceSchema = fields({
  ...namespaceFields,
  topics: v.optional(list(namespaceTopicSchema)),
});

export interface NamespaceSnapshot {
  readonly props: NewNamespace;
  readonly keys: AccessKeys;
  readonly attributes: Namespace["attributes"];
  readonly topics: readonly NamespaceTopicSnapshot[];
}

export interface NamespaceServices extends TopicServices, EndpointServices {}

/** A namespace: topics whose events receivers pull, or that are pushed to webhooks. */
export class Namespace extends Endpoint {
  /** Its topics. */
  readonly topics: NamespaceTopics;

  /** @internal */
  constructor(
    props: ConstructorParameters<typeof Endpoint>[0],
    services: NamespaceServices,
    keys?: AccessKeys,
  ) {
    super(props, services, keys);
    this.topics = new NamespaceTopics(this.id, services);
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
