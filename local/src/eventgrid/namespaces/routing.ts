import { checkOptions, type ResourceStore } from "../../base/index.js";
import { refusalOf } from "../data-plane-error.js";
import type { MessageResponse } from "../destinations/index.js";
import { Endpoints } from "../endpoints.js";
import type { EventOrigin, ReadEvent } from "../events/index.js";
import { notFound, structured } from "./data-plane/index.js";
import {
  Namespace,
  type NamespaceServices,
  type NamespaceSnapshot,
  type NewNamespace,
  newNamespace,
} from "./namespace.js";
import type { NamespaceSubscription } from "./namespace-subscription.js";
import type { NamespaceTopic } from "./namespace-topic.js";

/** A topic of a namespace by its resource ID. */
export function namespaceTopicAt(
  namespaces: ResourceStore<Namespace>,
  id: string,
): NamespaceTopic | undefined {
  const [, namespaceId = "", name = ""] = /^(.*)\/topics\/([^/]+)$/i.exec(id) ?? [];
  return namespaces.get(namespaceId)?.topics.get(name);
}

/** Publishes events that event subscriptions of other topics send to the topics of namespaces. */
export class Routing {
  constructor(
    private readonly cloud: {
      readonly namespaces: ResourceStore<Namespace>;
      readonly clock: { now(): number };
      readonly acceptance: {
        /** May throw a ServiceError to refuse the events. */
        accept(topic: NamespaceTopic, events: readonly ReadEvent[], origin: EventOrigin): void;
      };
    },
  ) {}

  /**
   * @param json the event as a CloudEvent
   * @returns what a publisher would get as the response
   */
  route(topicId: string, json: string): MessageResponse {
    const { namespaces, clock, acceptance } = this.cloud;
    const answer = (status: number, body: object) => ({
      status,
      url: topicId,
      headers: {},
      body: JSON.stringify(body),
    });
    try {
      const topic = namespaceTopicAt(namespaces, topicId);
      if (!topic) throw notFound("Topic", topicId);
      acceptance.accept(topic, [structured(json, clock.now())], "routed");
      return answer(200, {});
    } catch (error) {
      const { status, code, message } = refusalOf(error);
      return answer(status, { error: { code, message } });
    }
  }
}

/** The namespaces of the cloud. */
export class Namespaces extends Endpoints<
  Namespace,
  NamespaceServices & {
    readonly store: ResourceStore<Namespace>;
    readonly onTopic: (namespace: Namespace) => void;
  }
> {
  /**
   * @throws ServiceError if the name is invalid or taken
   * @throws LocalCloudError `ERR_STOPPED`, `ERR_OPTIONS`
   */
  create(props: NewNamespace): Namespace {
    this.cloud.running.check();
    checkOptions(newNamespace, props, "Invalid options of a namespace");
    return this.add(new Namespace(props, this.cloud));
  }

  /** Deletes the namespace with everything in it. `false` if it does not exist. */
  delete(id: string): boolean {
    const namespace = this.get(id);
    if (!namespace) return false;
    for (const { name } of namespace.topics.list()) namespace.topics.delete(name);
    return this.cloud.store.delete(id);
  }

  /** @internal a topic by its resource ID */
  topic(id: string): NamespaceTopic | undefined {
    return namespaceTopicAt(this.cloud.store, id);
  }

  /** @internal an event subscription by its resource ID */
  subscription(id: string): NamespaceSubscription | undefined {
    const [, topicId = "", name = ""] = /^(.*)\/eventSubscriptions\/([^/]+)$/i.exec(id) ?? [];
    return this.topic(topicId)?.subscriptions.get(name);
  }

  /** @internal */
  topics(): NamespaceTopic[] {
    return this.list().flatMap((namespace) => namespace.topics.list());
  }

  /** @internal */
  subscriptions(): NamespaceSubscription[] {
    return this.topics().flatMap((topic) => topic.subscriptions.list());
  }

  /** @internal */
  snapshot(): NamespaceSnapshot[] {
    return this.list().map((namespace) => namespace.snapshot());
  }

  /** @internal */
  restore(namespaces: readonly NamespaceSnapshot[]): void {
    for (const { props, keys, attributes, topics } of namespaces) {
      const namespace = new Namespace({ ...props, attributes }, this.cloud, keys);
      this.cloud.store.put(namespace);
      namespace.topics.restore(topics);
    }
  }
}
