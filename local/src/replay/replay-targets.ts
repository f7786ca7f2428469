import { isNamed, isOfType, isScope, LocalCloudError, normalizeScope } from "../base/index.js";
import {
  domainTopicNameOf,
  type EventGrid,
  NamespaceTopic,
  type RecordedTarget,
  type Topic,
  topicIdOf,
  topicNameOf,
} from "../eventgrid/index.js";
import type { RecordedDelivery } from "./record.js";

/** Where the caller wants the events. */
export interface TargetChoice {
  readonly topic?: string | undefined;
  readonly subscription?: string | undefined;
}

type AnyTopic = Topic | NamespaceTopic;

/** Chooses where each recorded event is accepted again. */
export class Targets {
  readonly #chosen: AnyTopic | undefined;
  readonly #topics: readonly { readonly name: string; readonly topic: AnyTopic }[];

  /**
   * @param subscriptionId the Azure subscription of this cloud
   * @throws LocalCloudError `ERR_REPLAY` for a topic that does not exist
   * @throws ServiceError for an event subscription that does not exist
   */
  constructor(
    private readonly choice: TargetChoice,
    eventGrid: EventGrid,
    private readonly subscriptionId: string,
  ) {
    const { topics, domains, namespaces } = eventGrid;
    this.#topics = [
      ...[...topics.list(), ...domains.list()].map((topic) => ({ name: topic.name, topic })),
      ...namespaces.list().flatMap((namespace) =>
        namespace.topics.list().map((topic) => ({
          name: `${namespace.name}/${topic.name}`,
          topic,
        })),
      ),
    ];
    if (choice.subscription !== undefined) eventGrid.redelivery.deliverersOf(choice.subscription);
    if (choice.topic === undefined) return;
    this.#chosen = this.#named(choice.topic);
    if (this.#chosen) return;
    throw new LocalCloudError(
      "ERR_REPLAY",
      `There is no topic, domain or namespace topic '${choice.topic}'. ${this.#list()}`,
    );
  }

  /** @throws LocalCloudError `ERR_REPLAY` if the event does not say where it belongs */
  of(delivery: RecordedDelivery): RecordedTarget {
    const { subscription } = this.choice;
    if (subscription !== undefined) return { subscription };
    const { source } = delivery;
    const topic = this.#chosen ?? this.#named(delivery.topic) ?? this.#inSource(source);
    if (topic) return targetOf(topic, source);
    const resource = this.#resourceOf(source);
    if (resource !== undefined) return { resource };
    const [only, other] = this.#topics;
    if (only && !other) return targetOf(only.topic, source);
    throw new LocalCloudError(
      "ERR_REPLAY",
      `The recording does not say which topic gets its events, for example that of ${delivery.place}. ${this.#list()}`,
    );
  }

  #named(nameOrId: string | undefined): AnyTopic | undefined {
    if (nameOrId === undefined) return undefined;
    const named = this.#topics.find(({ name, topic }) => isNamed({ id: topic.id, name }, nameOrId));
    return named?.topic ?? this.#topics.find(({ topic }) => isNamed(topic, nameOrId))?.topic;
  }

  /** The topic that the resource ID of a topic names, whichever Azure subscription and group it is in. */
  #inSource(source: string): AnyTopic | undefined {
    if (!isTopic(source) || isOfType(source, "Microsoft.EventGrid/namespaces")) return undefined;
    return this.#named(topicNameOf(topicIdOf(source)));
  }

  /** The resource of a service that sends events, in this cloud's subscription. */
  #resourceOf(source: string): string | undefined {
    if (isTopic(source) || !isScope(source)) return undefined;
    const [, collection, , ...rest] = normalizeScope(source).split("/");
    return ["", collection, this.subscriptionId, ...rest].join("/");
  }

  #list(): string {
    const names = this.#topics.map(({ name }) => name).join(", ") || "none";
    return `Choose a topic (${names}), or an event subscription.`;
  }
}

/** Whether a source is a topic, or what has topics. */
const isTopic = (source: string) =>
  isOfType(
    source,
    "Microsoft.EventGrid/topics",
    "Microsoft.EventGrid/domains",
    "Microsoft.EventGrid/domains/topics",
    "Microsoft.EventGrid/namespaces",
    "Microsoft.EventGrid/namespaces/topics",
  );

function targetOf(topic: AnyTopic, source: string): RecordedTarget {
  if (topic instanceof NamespaceTopic) return { topic };
  if (!topic.isDomain) return { topic };
  const name = domainTopicNameOf(source) ?? source;
  return /^$|[/:]/.test(name) ? { topic } : { topic, domainTopicId: `${topic.id}/topics/${name}` };
}
