import { isNamed, ServiceError } from "../base/index.js";
import type { ActivityLog } from "./activity.js";
import type { EventStages, Journal, PendingDelivery } from "./delivery/index.js";
import type { AcceptedEvent, Offer } from "./events/index.js";
import { type Stores, topicNameOf } from "./stores.js";
import type { Deliverer } from "./subscriptions/index.js";

/** The end of the resource ID of an event subscription, of a scope or of a namespace topic. */
const SUBSCRIPTION = /(\/providers\/Microsoft\.EventGrid)?\/eventSubscriptions\/[^/]+$/i;

/** The scope of an event subscription, or the namespace topic that it belongs to. */
export function scopeOfSubscription(id: string): string {
  return id.replace(SUBSCRIPTION, "");
}

/** Delivers accepted events again: on request, and after a restart. */
export class Redelivery {
  constructor(
    private readonly eventGrid: {
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
    const deliverers =
      subscription === undefined ? this.#matched(offers) : this.deliverersOf(subscription);
    for (const deliverer of deliverers) deliverer.add(accepted);
    journal.flush();
    return deliverers.map((each) => each.subscription.name);
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
    const deliverers =
      subscription === undefined
        ? this.eventGrid.stores.deliverers()
        : this.deliverersOf(subscription);
    return deliverers.reduce((sum, deliverer) => sum + deliverer.retryNow(accepted), 0);
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
    for (const deliverer of this.#matched(activity.recordOf(event)?.offers ?? [])) {
      const isMeant = subscription === undefined || isNamed(deliverer.subscription, subscription);
      if (isMeant) deliverer.redeliver?.(event, deliveryCount);
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
    const deliverers = new Map(stores.deliverers().map((each) => [each.subscription.id, each]));
    const offersByEvent = new Map<AcceptedEvent, Offer[]>();
    for (const delivery of pending) {
      const { event, subscriptionId, progress } = delivery;
      const deliverer = deliverers.get(subscriptionId);
      if (!deliverer) {
        unknown.push(delivery);
        continue;
      }
      const offers = offersByEvent.get(event) ?? [];
      offersByEvent.set(event, offers);
      offers.push(deliverer.restore(event, progress));
    }
    for (const [event, offers] of offersByEvent) {
      const topicId = stores.topicAt(scopeOfSubscription(offers[0]?.subscriptionId ?? ""))?.id;
      const topic = topicId && topicNameOf(topicId);
      stages.tell("accepted", { event, topic, origin: "restored", offers, unready: [] });
    }
    return unknown;
  }

  /** Those whose filter matched. */
  #matched(offers: readonly Offer[]): Deliverer[] {
    const matched = offers.filter(({ filteredBy }) => filteredBy === undefined);
    const ids = new Set(matched.map(({ subscriptionId }) => subscriptionId));
    return this.eventGrid.stores
      .deliverers()
      .filter(({ subscription }) => ids.has(subscription.id));
  }

  /**
   * Those of the event subscriptions with this resource ID or name.
   *
   * @throws ServiceError if there is none
   */
  deliverersOf(subscription: string): Deliverer[] {
    const found = this.eventGrid.stores
      .deliverers()
      .filter((each) => isNamed(each.subscription, subscription));
    if (found.length > 0) return found;
    throw new ServiceError(
      404,
      "ResourceNotFound",
      `There is no event subscription '${subscription}' that gets events.`,
    );
  }
}
