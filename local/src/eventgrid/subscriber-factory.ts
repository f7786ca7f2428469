import { DeliveryTokens, type Tokens } from "../entra/index.js";
import {
  basicDeadLetters,
  basicRetryPolicy,
  type DeadLetters,
  type DeliveryServices,
  DeliverySlots,
  EventStages,
  type Journal,
  namespaceRetryPolicy,
  PushSubscriber,
} from "./delivery/index.js";
import {
  type NamespaceSubscription,
  namespaceDeadLetters,
  pushSubscription,
  type QueueServices,
  QueueSubscriber,
} from "./namespaces/index.js";
import type { Subscriber } from "./subscriber.js";
import type { EventSubscription } from "./subscriptions/index.js";

/** Makes what takes the events of a subscription: requests to its endpoint, or a queue. */
export class SubscriberFactory {
  readonly #slots = new DeliverySlots();

  constructor(
    private readonly services: Omit<
      DeliveryServices & QueueServices,
      "policy" | "deadLetters" | "slots"
    > & {
      /** The wall clock, which tokens follow. */
      readonly now: () => number;
      readonly tokens: Tokens;
      readonly journal: Journal;
      readonly deadLetters: DeadLetters;
      readonly deadLetterProblem: (subscription: EventSubscription) => string | undefined;
      readonly namespaceDeadLetterProblem: (
        subscription: NamespaceSubscription,
      ) => string | undefined;
    },
  ) {}

  bySubscription(current: { readonly subscription: EventSubscription }): Subscriber {
    const { deadLetters, deadLetterProblem } = this.services;
    const target = basicDeadLetters(current, deadLetterProblem);
    return this.#queue(current, { policy: basicRetryPolicy, deadLetters: deadLetters.of(target) });
  }

  byNamespaceSubscription(subscription: NamespaceSubscription): Subscriber {
    const { journal, namespaceDeadLetterProblem } = this.services;
    const target = namespaceDeadLetters(subscription, namespaceDeadLetterProblem);
    const deadLetters = this.services.deadLetters.of(target);
    if (subscription.settings.deliveryMode === "Queue") {
      const stages = new EventStages([journal]);
      return new QueueSubscriber(subscription, { ...this.services, stages, deadLetters });
    }
    const pushed = {
      get subscription() {
        return pushSubscription(subscription);
      },
    };
    return this.#queue(pushed, { policy: namespaceRetryPolicy, deadLetters });
  }

  #queue(
    current: { readonly subscription: EventSubscription },
    kind: Pick<DeliveryServices, "policy" | "deadLetters">,
  ): PushSubscriber {
    const { tokens, now } = this.services;
    return new PushSubscriber(current, new DeliveryTokens(tokens, now), {
      ...this.services,
      ...kind,
      slots: this.#slots,
    });
  }
}
