import { DeliveryTokens, type Tokens } from "../entra/index.js";
import type { Faults, TimerClock } from "../simulation/index.js";
import {
  basicDeadLetters,
  basicPolicy,
  type Counter,
  type DeadLetters,
  DeliveryQueue,
  type DeliveryServices,
  type Dispatch,
  EventStages,
  type Journal,
  namespacePolicy,
} from "./delivery/index.js";
import {
  EventQueue,
  type NamespaceSubscription,
  namespaceDeadLetters,
  pushSubscription,
} from "./namespaces/index.js";
import type { Deliverer, EventSubscription } from "./subscriptions/index.js";

/** Makes what delivers the events of a subscription: requests to its endpoint, or a queue. */
export class Deliveries {
  constructor(
    private readonly services: {
      readonly clock: TimerClock;
      /** The wall clock, which tokens follow. */
      readonly now: () => number;
      readonly random: () => number;
      readonly faults: Faults;
      readonly tokens: Tokens;
      readonly busy: Counter;
      readonly stages: EventStages;
      readonly journal: Journal;
      readonly deadLetters: DeadLetters;
      readonly dispatch: Dispatch;
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
    const { clock, journal, busy, mayDeadLetterFromNamespace } = this.services;
    const target = namespaceDeadLetters(subscription, mayDeadLetterFromNamespace);
    const deadLetters = this.services.deadLetters.of(target);
    if (subscription.settings.deliveryMode === "Push") {
      const pushed = {
        get subscription() {
          return pushSubscription(subscription);
        },
      };
      return this.#queue(pushed, { policy: namespacePolicy, deadLetters });
    }
    return new EventQueue(() => subscription, {
      clock,
      stages: new EventStages([journal]),
      copies: () => this.#copies(subscription.name),
      deadLetter: (event, reason) => {
        if (!deadLetters.takes()) return false;
        busy.add(1);
        void deadLetters.put([{ event, reason }]).finally(() => busy.add(-1));
        return true;
      },
    });
  }

  #queue(
    current: { readonly subscription: EventSubscription },
    kind: Pick<DeliveryServices, "policy" | "deadLetters">,
  ): DeliveryQueue {
    const { clock, stages, dispatch, tokens, now, faults, random } = this.services;
    return new DeliveryQueue(current, new DeliveryTokens(tokens, now), {
      ...kind,
      clock,
      stages,
      dispatch,
      copies: () => this.#copies(current.subscription.name),
      pick: (inLine) => (faults.isReordering ? Math.floor(random() * inLine) : 0),
    });
  }

  #copies(subscription: string): number {
    return this.services.faults.isDuplicated(subscription) ? 2 : 1;
  }
}
