import {
  isNamed,
  LocalCloudError,
  scopeOfSubscription,
  scopesOfSource,
  serviceError,
} from "../base/index.js";
import type { Acceptance } from "./acceptance.js";
import type { ActivityLog } from "./activity.js";
import { refusalOf } from "./data-plane-error.js";
import type { EventStages, Journal, PendingDelivery } from "./delivery/index.js";
import { type AcceptedEvent, deliveredJson, type Offer, type ReadEvent } from "./events/index.js";
import { NamespaceTopic, readRoutedEvent } from "./namespaces/index.js";
import { type Stores, topicNameOf } from "./stores.js";
import type { Subscriber } from "./subscriber.js";
import type { Recipients } from "./subscriptions/index.js";
import { type RecordedSchema, readRecordedEvent, type Topic } from "./topics/index.js";

/** Where a recorded event is accepted again. */
export type RecordedTarget =
  | { readonly topic: Topic; readonly domainTopicId?: string | undefined }
  | { readonly topic: NamespaceTopic }
  /** The resource ID of the Azure service that the event comes from. */
  | { readonly resource: string }
  /** Resource ID or name of the only event subscription to deliver to, without regard to its filter. */
  | { readonly subscription: string };

export interface RecordedEvent {
  /** The event to the byte. */
  readonly json: string;
  readonly schema: RecordedSchema;
  /** The number of attempts that Event Grid had made before the recorded one. */
  readonly deliveryCount: number;
}

interface Offering extends Recipients {
  readonly topic: Topic | NamespaceTopic | undefined;
  readonly ignoresFilters?: boolean;
}

/** Delivers events again: on request, after a restart, and those of a recording. */
export class Redelivery {
  constructor(
    private readonly eventGrid: {
      readonly clock: { now(): number };
      readonly running: { check(): void };
      readonly acceptance: Acceptance;
      readonly activity: ActivityLog;
      readonly stages: EventStages;
      readonly stores: Stores;
      readonly journal: Journal;
    },
  ) {}

  /**
   * Delivers an accepted event once more.
   *
   * @param event its number in the activity log, or its `id`: then the latest event of that id
   * @param subscription resource ID or name of the only event subscription to deliver to, whether or
   * not its filter matches. @default all whose filter matched
   * @returns the names of the subscriptions
   * @throws ServiceError if the event or the subscription is unknown
   */
  resend(event: number | string, subscription?: string): string[] {
    const { activity, journal } = this.eventGrid;
    const { event: accepted, offers } = activity.findEvent(event);
    const subscribers =
      subscription === undefined ? this.#matched(offers) : this.deliverersOf(subscription);
    for (const subscriber of subscribers) subscriber.add(accepted);
    journal.flush();
    return subscribers.map((each) => each.subscription.name);
  }

  /**
   * Makes retries due now.
   *
   * @param event as for `resend`. @default all events
   * @param subscription resource ID or name of the only event subscription. @default all
   * @returns the number of deliveries
   * @throws ServiceError if the event or the subscription is unknown
   */
  retryNow(event?: number | string, subscription?: string): number {
    const { activity } = this.eventGrid;
    const accepted = event === undefined ? undefined : activity.findEvent(event).event;
    const subscribers =
      subscription === undefined
        ? this.eventGrid.stores.subscribers()
        : this.deliverersOf(subscription);
    return subscribers.reduce((sum, subscriber) => sum + subscriber.retryNow(accepted), 0);
  }

  /**
   * Repeats a redelivery of a recording: makes the waiting retry due now, or, where none waits,
   * delivers the event once more.
   *
   * @param deliveryCount how many attempts came before
   * @param subscription resource ID or name of the only event subscription. @default all whose filter
   * matched
   */
  redeliver(event: AcceptedEvent, deliveryCount: number, subscription?: string): void {
    const { activity, journal } = this.eventGrid;
    for (const subscriber of this.#matched(activity.recordOf(event)?.offers ?? [])) {
      const isMeant = subscription === undefined || isNamed(subscriber.subscription, subscription);
      if (isMeant) subscriber.redeliver(event, deliveryCount);
    }
    journal.flush();
  }

  /**
   * Continues the deliveries of an earlier process.
   *
   * @returns those whose event subscriptions do not exist
   */
  restore(pending: readonly PendingDelivery[]): PendingDelivery[] {
    const unknown: PendingDelivery[] = [];
    const { stages, stores } = this.eventGrid;
    const subscribers = new Map(stores.subscribers().map((each) => [each.subscription.id, each]));
    const offersByEvent = new Map<AcceptedEvent, Offer[]>();
    for (const delivery of pending) {
      const { event, subscriptionId, progress } = delivery;
      const subscriber = subscribers.get(subscriptionId);
      if (!subscriber) {
        unknown.push(delivery);
        continue;
      }
      const offers = offersByEvent.get(event) ?? [];
      offersByEvent.set(event, offers);
      offers.push(subscriber.restore(event, progress));
    }
    for (const [event, offers] of offersByEvent) {
      const topicId = stores.topicAt(scopeOfSubscription(String(offers[0]?.subscriptionId)))?.id;
      const topic = topicId && topicNameOf(topicId);
      stages.report("accepted", { event, topic, origin: "restored", offers, unready: [] });
    }
    return unknown;
  }

  /**
   * Accepts an event that another Event Grid accepted before. It keeps its source, id and time.
   *
   * @throws LocalCloudError `ERR_EVENT` if the target cannot accept the event
   * @throws ServiceError if the subscription is unknown, or the event cannot be stored
   */
  acceptRecorded(recorded: RecordedEvent, target: RecordedTarget): AcceptedEvent {
    const { running, clock, acceptance } = this.eventGrid;
    running.check();
    const { topic, subscribers, unready, ignoresFilters } = this.#offeringTo(target);
    const read = readRecordedEvent(recorded, topic?.id ?? "", clock.now());
    const accepted =
      topic instanceof NamespaceTopic && !ignoresFilters
        ? inNamespace(read.event, clock.now())
        : read;
    acceptance.offer([{ ...accepted, subscribers, unready }], topic, "replayed", {
      deliveryCount: recorded.deliveryCount,
      ignoresFilters,
    });
    return accepted.event;
  }

  #offeringTo(target: RecordedTarget): Offering {
    const { stores } = this.eventGrid;
    const { eventSubscriptions } = stores;
    if ("subscription" in target) {
      const [subscriber, other] = this.deliverersOf(target.subscription);
      if (other || !subscriber) {
        throw serviceError.Conflict(
          `Several event subscriptions have the name '${target.subscription}'. Use the resource ID, for example ${other?.subscription.id}`,
        );
      }
      const topic = stores.topicAt(scopeOfSubscription(subscriber.subscription.id));
      return { topic, subscribers: [subscriber], unready: [], ignoresFilters: true };
    }
    if ("resource" in target) {
      const recipients = eventSubscriptions.recipients(scopesOfSource(target.resource));
      return { topic: undefined, ...recipients };
    }
    const { topic, domainTopicId } = { domainTopicId: undefined, ...target };
    return { topic, ...stores.recipientsOf(topic, domainTopicId) };
  }

  /** Those whose filter matched. */
  #matched(offers: readonly Offer[]): Subscriber[] {
    const matched = offers.filter(({ filteredBy }) => filteredBy === undefined);
    const ids = new Set(matched.map(({ subscriptionId }) => subscriptionId));
    return this.eventGrid.stores
      .subscribers()
      .filter(({ subscription }) => ids.has(subscription.id));
  }

  /**
   * Those of the event subscriptions with this resource ID or name.
   *
   * @throws ServiceError if there is none
   */
  deliverersOf(subscription: string): Subscriber[] {
    const found = this.eventGrid.stores
      .subscribers()
      .filter((each) => isNamed(each.subscription, subscription));
    if (found.length > 0) return found;
    throw serviceError.ResourceNotFound(
      `There is no event subscription '${subscription}' that gets events.`,
    );
  }
}

/** A namespace takes CloudEvents only, and writes them anew. */
function inNamespace(event: AcceptedEvent, now: number): ReadEvent {
  try {
    return readRoutedEvent(deliveredJson(event, "CloudEventSchemaV1_0"), now);
  } catch (error) {
    throw new LocalCloudError("ERR_EVENT", refusalOf(error).message);
  }
}
