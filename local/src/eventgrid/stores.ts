import {
  invalidRequest,
  isOfType,
  nameIn,
  namesIn,
  parentOf,
  propertiesIn,
  ResourceStore,
  serviceError,
} from "../base/index.js";
import type { EventDestination } from "./destinations/index.js";
import type { InputSchema } from "./events/index.js";
import { type Namespace, NamespaceTopic, namespaceTopicAt } from "./namespaces/index.js";
import type { Subscriber } from "./subscriber.js";
import { type Recipients, SubscriptionStore } from "./subscriptions/index.js";
import type { Topic } from "./topics/index.js";

/** The name of the topic or domain with this resource ID: NAMESPACE/TOPIC in a namespace. */
export function topicNameOf(id: string): string {
  return namesIn(id, "Microsoft.EventGrid/namespaces/topics").join("/") || nameIn(id);
}

/** The resource ID of the topic or domain whose events a scope has, which may be a domain's topic. */
export function topicIdOf(scope: string): string {
  return domainTopicNameOf(scope) === undefined ? scope : parentOf(scope);
}

/** The name of the domain's topic that a scope names. */
export function domainTopicNameOf(scope: string): string | undefined {
  return namesIn(scope, "Microsoft.EventGrid/domains/topics").at(-1);
}

/** Event Grid's resources: topics, domains, namespaces and event subscriptions. */
export class Stores {
  readonly topics = new ResourceStore<Topic>();
  readonly domains = new ResourceStore<Topic>();
  readonly namespaces = new ResourceStore<Namespace>();
  readonly eventSubscriptions: SubscriptionStore;

  constructor(clock: { now(): number }) {
    this.eventSubscriptions = new SubscriptionStore(clock);
  }

  /** The topic or domain whose events a scope has, which may be a domain's topic. */
  topicOf(scope: string): Topic | undefined {
    return this.topics.get(scope) ?? this.domains.get(topicIdOf(scope));
  }

  inputSchemaOf(scope: string): InputSchema | undefined {
    return this.topicOf(scope)?.inputSchema;
  }

  /** The topic, domain or namespace topic whose events a scope has. */
  topicAt(scope: string): Topic | NamespaceTopic | undefined {
    return this.topicOf(scope) ?? namespaceTopicAt(this.namespaces, scope);
  }

  /**
   * The event subscriptions that get the events of a topic.
   *
   * @param domainTopicId resource ID of the topic that an event chose in a domain
   */
  recipientsOf(topic: Topic | NamespaceTopic, domainTopicId?: string): Recipients {
    if (topic instanceof NamespaceTopic) return { subscribers: topic.subscribers(), unready: [] };
    const scopes = domainTopicId === undefined ? [topic.id] : [topic.id, domainTopicId];
    return this.eventSubscriptions.recipients(scopes);
  }

  /** The topics of all namespaces. */
  namespaceTopics(): NamespaceTopic[] {
    return this.namespaces.list().flatMap(({ topics }) => topics.list());
  }

  /** Everything that delivers events. */
  subscribers(): Subscriber[] {
    const inNamespaces = this.namespaceTopics().flatMap((topic) => topic.subscribers());
    return [...this.eventSubscriptions.subscribers(), ...inNamespaces];
  }

  /** Everything that decides who gets an event. */
  accepting(): object[] {
    const inNamespaces = this.namespaceTopics();
    return [
      ...this.topics.list(),
      ...this.domains.list(),
      ...this.eventSubscriptions.all(),
      ...inNamespaces,
      ...inNamespaces.flatMap(({ subscriptions }) =>
        subscriptions.list().map(({ content }) => content),
      ),
    ];
  }

  /** A domain's topic is created with its first event subscription. */
  createDomainTopic(scope: string): void {
    const name = domainTopicNameOf(scope);
    if (name !== undefined) this.topicOf(scope)?.addDomainTopic(name);
  }

  /** It is deleted with its last one. */
  deleteDomainTopic(scope: string): void {
    const name = domainTopicNameOf(scope);
    const domain = this.topicOf(scope);
    if (name === undefined || !domain || isOff(domain, AUTO_DELETE)) return;
    if (this.eventSubscriptions.list(scope).length === 0) domain.deleteDomainTopic(name);
  }

  /** Events are sent to an existing topic of a namespace only. */
  checkDestination(destination: EventDestination | undefined): void {
    if (destination?.endpointType !== "NamespaceTopic") return;
    const resourceId = String(destination.properties.resourceId);
    if (namespaceTopicAt(this.namespaces, resourceId)) return;
    throw invalidRequest(
      `The destination '${resourceId}' was not found. Create the topic of the namespace first.`,
    );
  }

  /** Only topics and domains must exist; other resources are not known here. */
  checkExists(scope: string): void {
    const isTopic = isOfType(
      topicIdOf(scope),
      "Microsoft.EventGrid/topics",
      "Microsoft.EventGrid/domains",
    );
    const topic = this.topicOf(scope);
    const name = domainTopicNameOf(scope);
    const isManaged =
      name === undefined || topic?.hasDomainTopic(name) || !isOff(topic, AUTO_CREATE);
    if (!isTopic || (topic && isManaged)) return;
    throw serviceError.ResourceNotFound(`The Resource '${scope}' was not found. Create it first.`);
  }
}

/** @see https://learn.microsoft.com/dotnet/api/azure.resourcemanager.eventgrid.eventgriddomaindata */
const AUTO_CREATE = "autoCreateTopicWithFirstSubscription";
const AUTO_DELETE = "autoDeleteTopicWithLastSubscription";

/** Whether a domain's property, which is on by default, is off. */
function isOff(domain: Topic | undefined, property: string): boolean {
  return propertiesIn(domain?.attributes)[property] === false;
}
