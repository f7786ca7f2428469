import * as v from "valibot";
import {
  checkOptions,
  fields,
  invalidRequest,
  list,
  number,
  ResourceStore,
  serviceError,
  text,
} from "../../base/index.js";
import { type AccessKeys, KeyOwner, newAccessKeys } from "../credentials.js";
import {
  Endpoint,
  type EndpointServices,
  endpointSettings,
  type NewEndpoint,
} from "../endpoints.js";
import {
  type AcceptedEvent,
  type BoundedHistory,
  type PublishedCatalogue,
  type PublishedEventOf,
  type PublishedPayloads,
  publishedEvents,
} from "../events/index.js";
import type { Subscriber } from "../subscriber.js";
import { isReady } from "./namespace-subscription.js";
import { NamespaceSubscriptions, type SubscriptionServices } from "./namespace-subscriptions.js";
import { nameProblems, namespaceSubscriptionSchema } from "./settings.js";

/** Settings of a new namespace. */
export type NewNamespace = NewEndpoint;

/** Settings of a new topic of a namespace. */
export interface NewNamespaceTopic {
  /** 3 to 50 letters, digits and hyphens. */
  readonly name: string;
  /** Days for which events are kept at most: 1–7. @default 7 */
  readonly eventRetentionInDays?: number | undefined;
  /** The first key. @default a random one */
  readonly accessKey?: string | undefined;
}

const topicFields = {
  name: text,
  eventRetentionInDays: v.optional(number),
  accessKey: v.optional(text),
};

const newNamespaceTopic = fields(topicFields);

const namespaceFields = { name: text, ...endpointSettings };

export const newNamespace = fields(namespaceFields);

/** Schema of a namespace in a configuration file. */
export const namespaceSchema = fields({
  ...namespaceFields,
  topics: v.optional(
    list(
      fields({
        ...topicFields,
        eventSubscriptions: v.optional(list(namespaceSubscriptionSchema)),
      }),
    ),
  ),
});

interface TopicServices extends SubscriptionServices {
  readonly newHistory: () => BoundedHistory<AcceptedEvent>;
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
}

const DEFAULT_RETENTION_DAYS = 7;

/** A topic of a namespace. */
export class NamespaceTopic extends KeyOwner {
  /** The resource ID. */
  readonly id: string;
  readonly name: string;
  /** Event subscriptions: queues, and webhooks that events are pushed to. */
  readonly subscriptions: NamespaceSubscriptions;
  /** Days for which events are kept at most. */
  eventRetentionInDays: number;
  /** @internal */
  readonly history: BoundedHistory<AcceptedEvent>;

  /** @internal */
  constructor(
    { name, accessKey, eventRetentionInDays = DEFAULT_RETENTION_DAYS }: NewNamespaceTopic,
    namespaceId: string,
    services: TopicServices,
    keys: AccessKeys = newAccessKeys(accessKey),
  ) {
    super(keys);
    this.id = `${namespaceId}/topics/${name}`;
    this.name = name;
    this.eventRetentionInDays = eventRetentionInDays;
    this.subscriptions = new NamespaceSubscriptions(this, services);
    this.history = services.newHistory();
  }

  /**
   * The accepted events as receivers get them, oldest first, limited by the cloud's `history`.
   *
   * @param catalogue of `defineEvents`: returns the events of its types, and types their `data`
   */
  events<Payloads extends PublishedPayloads>(
    catalogue?: PublishedCatalogue<Payloads>,
  ): PublishedEventOf<Payloads>[] {
    return publishedEvents(this.history.list(), catalogue);
  }

  /** @internal */
  subscribers(): Subscriber[] {
    return this.subscriptions
      .list()
      .flatMap(({ provisioningState, subscriber }) =>
        isReady(provisioningState) ? [subscriber] : [],
      );
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
      throw serviceError.Conflict(`The topic '${props.name}' already exists.`);
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

  /** @internal As `put`, for a name and a retention that may be invalid. */
  write(props: NewNamespaceTopic): NamespaceTopic {
    this.services.running.check();
    const { name, eventRetentionInDays: days = DEFAULT_RETENTION_DAYS } = props;
    const problems = [...nameProblems("Topic", name)];
    if (!(Number.isInteger(days) && days >= 1 && days <= 7)) {
      problems.push(`eventRetentionInDays must be an integer from 1 to 7, not ${days}.`);
    }
    if (problems.length > 0) throw invalidRequest(problems.join(" "));
    const topic = this.get(name) ?? this.add(props);
    topic.eventRetentionInDays = days;
    return topic;
  }

  /** @internal */
  add(props: NewNamespaceTopic, keys?: AccessKeys): NamespaceTopic {
    const topic = new NamespaceTopic(props, this.namespaceId, this.services, keys);
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
}
