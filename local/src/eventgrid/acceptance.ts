import { scopeAndAbove } from "../base/index.js";
import type { ActivityLog, EventOrigin } from "./activity.js";
import type { Journal } from "./delivery/index.js";
import type { AcceptedEvent, EventContent, UnreadySubscription } from "./events/index.js";
import type { NamespaceEvent, NamespaceTopic } from "./namespaces/index.js";
import { topicNameOf } from "./scopes.js";
import type { Deliverer, EventSubscriptions } from "./subscriptions/index.js";
import {
  acceptedServiceEvent,
  type RaisedEvent,
  raisedContent,
  type SystemEventOptions,
  systemEvent,
} from "./system-events/index.js";
import type { PublishedEvent, Topic } from "./topics/index.js";

/** An event with the subscriptions that may get it. */
interface OfferedEvent extends NamespaceEvent {
  readonly deliverers: readonly Deliverer[];
  readonly unready: readonly UnreadySubscription[];
}

interface OfferOptions {
  readonly deliveryCount?: number | undefined;
  readonly ignoresFilters?: boolean | undefined;
}

/** Accepts events, stores them, and offers them to the event subscriptions. */
export class Acceptance {
  /** Of the latest event of an Azure service. */
  #sequence = 0;

  constructor(
    private readonly cloud: {
      readonly subscriptionId: string;
      readonly now: () => number;
      readonly checkRunning: () => void;
      readonly eventSubscriptions: EventSubscriptions;
      readonly activity: ActivityLog;
      readonly journal: Journal;
      /** May throw to refuse the events. */
      readonly beforeAccepted: () => void;
    },
  ) {}

  /**
   * Accepts published events and offers them to the subscriptions of the topic or domain.
   *
   * @throws ServiceError 503 if they cannot be stored. None of them is delivered then.
   */
  accept(topic: Topic, events: readonly PublishedEvent[]): void {
    const deliverers = this.cloud.eventSubscriptions.deliverersAt(topic.id);
    const unready = this.unreadyAt([topic.id]);
    const offered = events.map(({ event, content, domainTopicId }) => {
      if (domainTopicId === undefined) return { event, content, deliverers, unready };
      const own = this.cloud.eventSubscriptions.deliverersAt(domainTopicId);
      return {
        event,
        content,
        deliverers: [...deliverers, ...own],
        unready: [...unready, ...this.unreadyAt([domainTopicId])],
      };
    });
    this.offer(offered, topic, "published");
  }

  /**
   * Accepts events that were published to a topic of a namespace.
   *
   * @throws ServiceError 503 as `accept`
   */
  acceptInNamespace(
    topic: NamespaceTopic,
    events: readonly NamespaceEvent[],
    origin: EventOrigin = "published",
  ): void {
    const deliverers = topic.deliverers();
    this.offer(
      events.map(({ event, content }) => ({ event, content, deliverers, unready: [] })),
      topic,
      origin,
    );
  }

  /** Simulates an event of an Azure service for subscriptions at its scope and above. */
  emit(type: string, options: SystemEventOptions): AcceptedEvent {
    this.cloud.checkRunning();
    const { event, content } = systemEvent(type, options, this.#nextEvent());
    this.#acceptOfService(event, content, "emitted");
    return event;
  }

  /**
   * Accepts an event that a storage account has raised.
   *
   * @throws ServiceError 503 as `accept`
   */
  raise(raised: RaisedEvent): void {
    this.cloud.checkRunning();
    const next = this.#nextEvent();
    const content = raisedContent(raised, next);
    this.#acceptOfService(acceptedServiceEvent(content, next.now), content, "storage");
  }

  /** Numbers the events of Azure services. Those of an earlier process have smaller numbers. */
  #nextEvent() {
    const { subscriptionId, now: time } = this.cloud;
    const now = time();
    this.#sequence = Math.max(this.#sequence + 1, Math.floor(now));
    return { subscriptionId, now, sequence: this.#sequence };
  }

  #acceptOfService(event: AcceptedEvent, content: EventContent, origin: EventOrigin): void {
    const deliverers = this.cloud.eventSubscriptions.deliverersAtOrAbove(event.source);
    const unready = this.unreadyAt(scopeAndAbove(event.source));
    this.offer([{ event, content, deliverers, unready }], undefined, origin);
  }

  /**
   * Offers events to subscriptions.
   *
   * @throws ServiceError 503 as `accept`
   */
  offer(
    events: readonly OfferedEvent[],
    topic: Topic | NamespaceTopic | undefined,
    origin: EventOrigin,
    { deliveryCount, ignoresFilters }: OfferOptions = {},
  ): void {
    this.cloud.beforeAccepted();
    const offers = events.map(({ event, content, deliverers }) =>
      deliverers.map((deliverer) => {
        if (!ignoresFilters) return deliverer.offer(event, content, deliveryCount);
        deliverer.add(event, deliveryCount);
        const { id: subscriptionId, name: subscription } = deliverer.subscription;
        return { subscriptionId, subscription, filteredBy: undefined };
      }),
    );
    try {
      this.cloud.journal.flush();
    } catch (error) {
      const refused = new Set(events.map(({ event }) => event));
      const deliverers = new Set(events.flatMap((each) => each.deliverers));
      for (const deliverer of deliverers) deliverer.withdraw(refused);
      throw error;
    }
    const topicName = topic && topicNameOf(topic.id);
    for (const [index, { event, unready }] of events.entries()) {
      topic?.remember(event);
      this.cloud.activity.addEvent({
        event,
        topic: topicName,
        origin,
        offers: offers[index] ?? [],
        unready,
      });
    }
  }

  /** The subscriptions at these scopes that get no events, because they are not ready. */
  unreadyAt(scopes: readonly string[]): UnreadySubscription[] {
    return this.cloud.eventSubscriptions
      .unreadyAt(scopes)
      .map(({ id, name, provisioningState }) => ({
        subscriptionId: id,
        subscription: name,
        state: provisioningState,
      }));
  }
}
