import { scopesOfSource } from "../base/index.js";
import type { EventStages, Journal } from "./delivery/index.js";
import type { AcceptedEvent, EventOrigin, Offer, ReadEvent } from "./events/index.js";
import type { NamespaceTopic } from "./namespaces/index.js";
import { type Stores, topicNameOf } from "./stores.js";
import type { Recipients } from "./subscriptions/index.js";
import {
  type RaisedEvent,
  raisedEvent,
  type SystemEventOptions,
  systemEvent,
} from "./system-events/index.js";
import type { Topic } from "./topics/index.js";

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
      readonly subscriptionIds: readonly string[];
      readonly clock: { now(): number };
      readonly running: { check(): void };
      readonly stores: Stores;
      readonly stages: EventStages;
      readonly journal: Journal;
      /** May throw to refuse the events. */
      readonly beforeAccepted: (resources: readonly object[]) => void;
    },
  ) {}

  /**
   * Accepts events of a topic, and offers them to its subscriptions.
   *
   * @throws ServiceError 503 if they cannot be stored. None of them is delivered then.
   */
  accept(
    topic: Topic | NamespaceTopic,
    events: readonly ReadEvent[],
    origin: EventOrigin = "published",
  ): void {
    const { stores } = this.cloud;
    const recipients = new Map<string | undefined, Recipients>();
    const offered = events.map(({ event, content, domainTopicId }) => {
      const found = recipients.get(domainTopicId) ?? stores.recipientsOf(topic, domainTopicId);
      recipients.set(domainTopicId, found);
      const { subscribers, unready } = found;
      return { event, content, subscribers, unready };
    });
    this.offer(offered, topic, origin);
  }

  /** Simulates an event of an Azure service. */
  emit(type: string, options: SystemEventOptions): AcceptedEvent {
    this.cloud.running.check();
    const emitted = systemEvent(type, options, this.#nextEvent());
    this.#acceptOfService(emitted, "emitted");
    return emitted.event;
  }

  /**
   * Accepts an event that a storage account has raised.
   *
   * @throws ServiceError 503 as `accept`
   */
  raise(raised: RaisedEvent): void {
    this.cloud.running.check();
    this.#acceptOfService(raisedEvent(raised, this.#nextEvent()), "storage");
  }

  /** Numbers the events of Azure services. Those of an earlier process have smaller numbers. */
  #nextEvent() {
    const { subscriptionIds, clock } = this.cloud;
    const now = clock.now();
    this.#sequence = Math.max(this.#sequence + 1, Math.floor(now));
    return { subscriptionIds, now, sequence: this.#sequence };
  }

  #acceptOfService({ event, content }: ReadEvent, origin: EventOrigin): void {
    const recipients = this.cloud.stores.eventSubscriptions.recipients(
      scopesOfSource(event.source),
    );
    this.offer([{ event, content, ...recipients }], undefined, origin);
  }

  /**
   * Offers events to subscriptions.
   *
   * @throws ServiceError 503 as `accept`
   */
  offer(
    events: readonly (ReadEvent & Recipients)[],
    topic: Topic | NamespaceTopic | undefined,
    origin: EventOrigin,
    { deliveryCount, ignoresFilters }: OfferOptions = {},
  ): void {
    const { beforeAccepted, stores, stages, journal } = this.cloud;
    beforeAccepted(stores.accepting());
    let last: readonly Offer[] = [];
    const offers = events.map(({ event, content, subscribers }) => {
      const given = subscribers.map((subscriber) =>
        ignoresFilters
          ? subscriber.add(event, deliveryCount)
          : subscriber.offer(event, content, deliveryCount),
      );
      // Most events of a request are wanted alike: one list takes less memory than hundreds.
      const isSame = given.length === last.length && given.every((each, at) => each === last[at]);
      if (!isSame) last = given;
      return last;
    });
    try {
      journal.flush();
    } catch (error) {
      const refused = new Set(events.map(({ event }) => event));
      const subscribers = new Set(events.flatMap((each) => each.subscribers));
      for (const subscriber of subscribers) subscriber.withdraw(refused);
      throw error;
    }
    const topicName = topic && topicNameOf(topic.id);
    for (const [index, { event, unready }] of events.entries()) {
      topic?.history.add(event, event.sizeInBytes);
      const given = offers[index] ?? [];
      const isWanted = given.some(({ filteredBy }) => filteredBy === undefined);
      if (topic && origin === "published" && !isWanted) stages.report("unmatched", topic.id);
      stages.report("accepted", {
        event,
        topic: topicName,
        origin,
        offers: given,
        unready,
      });
    }
  }
}
