import { DeliveryTokens, type Tokens } from "../entra/index.js";
import type { Deliverer } from "./deliverer.js";
import {
  basicDeadLetters,
  basicPolicy,
  type DeadLetters,
  DeliveryQueue,
  type DeliveryServices,
  EventStages,
  type Journal,
  namespacePolicy,
} from "./delivery/index.js";
import {
  EventQueue,
  type NamespaceSubscription,
  namespaceDeadLetters,
  pushSubscription,
  type QueueServices,
} from "./namespaces/index.js";
import type { EventSubscription } from "./subscriptions/index.js";

/** Makes what delivers the events of a subscription: requests to its endpoint, or a queue. */
export class Deliveries {
  constructor(
    private readonly services: Omit<DeliveryServices & QueueServices, "policy" | "deadLetters"> & {
      /** The wall clock, which tokens follow. */
      readonly now: () => number;
      readonly tokens: Tokens;
      readonly journal: Journal;
      readonly deadLetters: DeadLetters;
      readonly mayDeadLetter: (subscription: EventSubscription) => boolean;
      readonly mayDeadLetterFromNamespace: (subscription: NamespaceSubscription) => boolean;
    },
  ) {}

  bySubscription(current: { readonly subscription: EventSubscription }): Deliverer {
    const { deadLetters, mayDeadLetter } = this.services;
    const target = basicDeadLetters(current, mayDeadLetter);
    return this.#queue(current, { policy: basicPolicy, deadLetters: deadLetters.of(target) });
  }

  byNamespaceSubscription(subscription: NamespaceSubscription): Deliverer {
    const { journal, mayDeadLetterFromNamespace } = this.services;
    const target = namespaceDeadLetters(subscription, mayDeadLetterFromNamespace);
    const deadLetters = this.services.deadLetters.of(target);
    if (subscription.settings.deliveryMode === "Queue") {
      const stages = new EventStages([journal]);
      return new EventQueue(subscription, { ...this.services, stages, deadLetters });
    }
    const pushed = {
      get subscription() {
        return pushSubscription(subscription);
      },
    };
    return this.#queue(pushed, { policy: namespacePolicy, deadLetters });
  }

  #queue(
    current: { readonly subscription: EventSubscription },
    kind: Pick<DeliveryServices, "policy" | "deadLetters">,
  ): DeliveryQueue {
    const { tokens, now } = this.services;
    return new DeliveryQueue(current, new DeliveryTokens(tokens, now), {
      ...this.services,
      ...kind,
    });
  }
}
