import { utcTime } from "../base/index.js";
import type { Faults, TimerClock } from "../simulation/index.js";
import type {
  AcceptedEvent,
  DeliveryProgress,
  DeliverySchema,
  EventContent,
  EventEnd,
  Offer,
} from "./events/index.js";
import { compileFilter, type EventFilter, type FailedCondition } from "./filters/index.js";

/** The properties of a subscription that delivery needs. */
interface DeliveredSubscription {
  readonly id: string;
  readonly name: string;
  readonly settings: {
    readonly filter: EventFilter;
    /** @default CloudEvents, as for topics of namespaces */
    readonly deliverySchema?: DeliverySchema;
    readonly expiresAt: string | undefined;
  };
}

/** Writes the dead letters of one subscription. */
export interface SubscriptionDeadLetters {
  /** Whether undeliverable events are stored instead of dropped. */
  takes(): boolean;
  /** Why the subscription's container cannot take them. */
  problem(): string | undefined;
  /**
   * Writes events to the subscription's container: one blob with a JSON array.
   *
   * @param progress without an attempt, `lastAttemptAt` is 0
   */
  put(
    events: readonly AcceptedEvent[],
    reason: string,
    progress: Omit<DeliveryProgress, "nextAttemptAt">,
  ): Promise<void>;
}

export interface SubscriberServices {
  readonly clock: TimerClock;
  readonly faults: Faults;
  readonly deadLetters: SubscriptionDeadLetters;
  readonly stages: {
    report(stage: "matched", subscriptionId: string, count: number): void;
    report(stage: "queued", event: AcceptedEvent, subscriptionId: string): void;
    report(
      stage: "settled",
      events: readonly AcceptedEvent[],
      subscriptionId: string,
      end: EventEnd,
    ): void;
  };
}

/** Delivers the events of one subscription, by requests or through a queue that receivers empty. */
export abstract class Subscriber<
  Subscription extends DeliveredSubscription = DeliveredSubscription,
  Services extends SubscriberServices = SubscriberServices,
> {
  /** The answer for an event that is taken: the same object for all events. */
  protected readonly accepted: Offer;
  #failedCondition: FailedCondition = () => undefined;
  protected isClosed = false;

  constructor(
    private readonly current: { readonly subscription: Subscription },
    protected readonly services: Services,
  ) {
    const { id: subscriptionId, name } = current.subscription;
    this.accepted = { subscriptionId, subscription: name, filteredBy: undefined };
  }

  get subscription(): Subscription {
    return this.current.subscription;
  }

  /** Whether the subscription has reached its expiration time. */
  get isExpired(): boolean {
    return hasExpired(this.subscription.settings, this.services.clock);
  }

  /** Follows new settings, or the first ones. */
  settingsChanged(): void {
    const { filter, deliverySchema } = this.subscription.settings;
    this.#failedCondition = compileFilter(filter, deliverySchema);
  }

  /**
   * Takes the event if the subscription's filter matches.
   *
   * @param deliveryCount how many attempts to pretend before the first one, for a webhook. @default 0
   */
  offer(event: AcceptedEvent, content: EventContent, deliveryCount?: number): Offer {
    const filteredBy = this.isExpired ? "expiration" : this.#failedCondition(event, content);
    if (filteredBy !== undefined) return { ...this.accepted, filteredBy };
    this.services.stages.report("matched", this.accepted.subscriptionId, 1);
    return this.add(event, deliveryCount);
  }

  /**
   * Takes the event without regard to the filter, for example to deliver it once more.
   *
   * @param deliveryCount as for `offer`
   */
  add(event: AcceptedEvent, deliveryCount = 0): Offer {
    if (this.isClosed) return this.accepted;
    const { faults, stages } = this.services;
    const copies = faults.copiesFor(this.accepted.subscription);
    for (let copy = 0; copy < copies; copy++) {
      this.enqueue(event, deliveryCount);
      stages.report("queued", event, this.accepted.subscriptionId);
    }
    this.serve();
    return this.accepted;
  }

  protected abstract enqueue(event: AcceptedEvent, deliveryCount: number): void;

  /** Delivers what waits, later in this turn of the event loop. */
  protected abstract serve(): void;

  /**
   * Makes the event's waiting retry due now. Where none waits, delivers the event once more as after
   * so many attempts. Does nothing for a queue, whose receivers decide what they get again.
   */
  redeliver(_event: AcceptedEvent, _deliveryCount: number): void {}

  /** Gives up events that were offered in this turn of the event loop. */
  abstract withdraw(events: ReadonlySet<AcceptedEvent>): void;

  /** Continues the delivery of an event after an earlier process. */
  abstract restore(event: AcceptedEvent, progress: DeliveryProgress | undefined): Offer;

  /**
   * Makes the retries of an event due now, or all of them.
   *
   * @returns the number of deliveries that were waiting
   */
  abstract retryNow(event?: AcceptedEvent): number;

  /** Makes the next delivery fetch a new token. */
  forgetToken(): void {}

  /** Drops everything that is not delivered yet. */
  abstract clear(): void;

  /** Drops everything that is not delivered yet, and takes no more events. */
  close(): void {
    this.isClosed = true;
    this.clear();
  }

  /** The outcome of events that are given up. */
  protected get endWithoutDelivery(): "deadLettered" | "dropped" {
    return this.services.deadLetters.takes() ? "deadLettered" : "dropped";
  }

  protected settle(events: readonly AcceptedEvent[], end: EventEnd): void {
    this.services.stages.report("settled", events, this.accepted.subscriptionId, end);
  }
}

/** Whether a subscription with these settings has reached its expiration time. */
export function hasExpired(
  { expiresAt }: { readonly expiresAt: string | undefined },
  clock: { now(): number },
): boolean {
  return expiresAt !== undefined && utcTime(expiresAt) <= clock.now();
}
