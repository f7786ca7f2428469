import { checkOptions, namesIn, parentOf, subscriptionOf } from "../../base/index.js";
import { Endpoints, type EndpointsServices } from "../endpoints.js";
import {
  Namespace,
  type NamespaceServices,
  type NamespaceTopic,
  type NewNamespace,
  newNamespace,
} from "./namespace.js";
import type { NamespaceSubscription } from "./namespace-subscription.js";
import { namespaceTopicAt } from "./routing.js";

/** The namespaces of the cloud. */
export class Namespaces extends Endpoints<Namespace> {
  /** @internal */
  constructor(private readonly cloud: NamespaceServices & EndpointsServices<Namespace>) {
    super(cloud);
  }

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
    const [, , name] = namesIn(id, "Microsoft.EventGrid/namespaces/topics/eventSubscriptions");
    return name === undefined ? undefined : this.topic(parentOf(id))?.subscriptions.get(name);
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
  snapshot() {
    return this.list().map((namespace) => {
      const { name, resourceGroupName, location, attributes } = namespace;
      const topics = namespace.topics.list().map((topic) => ({
        name: topic.name,
        eventRetentionInDays: topic.eventRetentionInDays,
        keys: topic.keys(),
        subscriptions: topic.subscriptions.snapshot(),
      }));
      return {
        props: { subscriptionId: subscriptionOf(namespace.id), name, resourceGroupName, location },
        keys: namespace.keys(),
        attributes,
        topics,
      };
    });
  }

  /** @internal */
  restore(namespaces: ReturnType<Namespaces["snapshot"]>): void {
    for (const { props, keys, attributes, topics } of namespaces) {
      const namespace = new Namespace({ ...props, attributes }, this.cloud, keys);
      this.cloud.store.put(namespace);
      for (const { keys, subscriptions, ...topic } of topics) {
        namespace.topics.add(topic, keys).subscriptions.restore(subscriptions);
      }
    }
  }
}
