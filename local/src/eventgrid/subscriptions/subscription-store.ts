import { invalidRequest, scopeKey } from "../../base/index.js";
import type {
  AcceptedEvent,
  DeliveryProgress,
  EventContent,
  Offer,
  UnreadySubscription,
} from "../events/index.js";
import type { EventSubscriptionSettings } from "./settings.js";

export type ProvisioningState =
  | "Creating"
  | "Updating"
  | "AwaitingManualAction"
  | "Succeeded"
  | "Failed";

/** An event subscription of the cloud. */
export interface EventSubscription {
  /** Its resource ID. */
  readonly id: string;
  readonly name: string;
  /** Normalised: one leading slash and none at the end. */
  readonly scope: string;
  readonly provisioningState: ProvisioningState;
  /**
   * The URL that validates the webhook when it is opened within ten minutes. Only in the state
   * `AwaitingManualAction`.
   */
  readonly validationUrl?: string | undefined;
  /** Why it could not be created. Only in the state `Failed`. */
  readonly failure?: string | undefined;
  /** What is stored: the properties as Resource Manager writes them, secrets included. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** What the properties mean. */
  readonly settings: EventSubscriptionSettings;
}

/** An event subscription to a webhook. */
export interface WebhookSubscription extends EventSubscription {
  readonly settings: EventSubscriptionSettings & { readonly endpointUrl: string };
}

export function isWebhookSubscription(
  subscription: EventSubscription,
): subscription is WebhookSubscription {
  return subscription.settings.endpointUrl !== undefined;
}

/** Delivers the events of one subscription. */
export interface Deliverer {
  readonly subscription: Pick<EventSubscription, "id" | "name">;
  /**
   * Takes the event if the subscription's filter matches.
   *
   * @param deliveryCount how many attempts to pretend before the first one, for a webhook. @default 0
   */
  offer(event: AcceptedEvent, content: EventContent, deliveryCount?: number): Offer;
  /**
   * Takes the event without regard to the filter, for example to deliver it once more.
   *
   * @param deliveryCount as for `offer`
   */
  add(event: AcceptedEvent, deliveryCount?: number): Offer;
  /**
   * Makes the event's waiting retry due now. Where none waits, delivers the event once more as after
   * so many attempts. Missing for a queue, whose receivers decide what they get again.
   */
  redeliver?(event: AcceptedEvent, deliveryCount: number): void;
  /** Gives up events that were offered in this turn of the event loop. */
  withdraw(events: ReadonlySet<AcceptedEvent>): void;
  /** Continues the delivery of an event after an earlier process. */
  restore(event: AcceptedEvent, progress: DeliveryProgress | undefined): Offer;
  /**
   * Makes the retries of an event due now, or all of them.
   *
   * @returns the number of deliveries that were waiting
   */
  retryNow(event?: AcceptedEvent): number;
  settingsChanged(): void;
  /** Makes the next delivery fetch a new token. */
  forgetToken?(): void;
  /** Drops everything that is not delivered yet. */
  clear(): void;
  /** Drops everything that is not delivered yet, and takes no more events. */
  close(): void;
}

/** A subscription as it is now. It has a deliverer once it is ready. */
export interface SubscriptionEntry {
  subscription: EventSubscription;
  deliverer: Deliverer | undefined;
}

/** The event subscriptions that an event is offered to. */
export interface Reach {
  readonly deliverers: readonly Deliverer[];
  /** Those that get no events, because their creation goes on or failed. */
  readonly unready: readonly UnreadySubscription[];
}

/** Event subscriptions by scope and name, which compare case-insensitively. */
export class SubscriptionStore {
  readonly #byScope = new Map<string, Map<string, SubscriptionEntry>>();

  constructor(private readonly clock: { now(): number }) {}

  entry(scope: string, name: string): SubscriptionEntry | undefined {
    return this.#byScope.get(scopeKey(scope))?.get(name.toLowerCase());
  }

  /** The entry at the subscription's place; a new one where there is none. */
  entryFor(subscription: EventSubscription): SubscriptionEntry {
    const key = scopeKey(subscription.scope);
    const byName = this.#byScope.get(key) ?? new Map<string, SubscriptionEntry>();
    this.#byScope.set(key, byName);
    const name = subscription.name.toLowerCase();
    const entry = byName.get(name) ?? { subscription, deliverer: undefined };
    byName.set(name, entry);
    return entry;
  }

  remove(scope: string, name: string): void {
    this.#byScope.get(scopeKey(scope))?.delete(name.toLowerCase());
  }

  /** With those that have expired, whose retries are still to be dropped. */
  all(): EventSubscription[] {
    return this.#entries([...this.#byScope.keys()]).map(({ subscription }) => subscription);
  }

  /** Those whose expiration time has not passed, at exactly this scope. */
  list(scope: string): EventSubscription[] {
    const listed = this.#entries([scopeKey(scope)]).map(({ subscription }) => subscription);
    return listed.filter((each) => !this.isExpired(each));
  }

  isExpired({ settings }: Pick<EventSubscription, "settings">): boolean {
    return hasExpired(settings, this.clock);
  }

  /** All. */
  deliverers(): readonly Deliverer[] {
    return this.reach([...this.#byScope.keys()]).deliverers;
  }

  /** The event subscriptions at exactly these scopes. */
  reach(scopes: readonly string[]): Reach {
    const entries = this.#entries(scopes.map(scopeKey));
    return {
      deliverers: entries.flatMap(({ deliverer }) => deliverer ?? []),
      unready: entries.flatMap(({ deliverer, subscription }) => {
        const { id: subscriptionId, name, provisioningState: state } = subscription;
        return deliverer ? [] : [{ subscriptionId, subscription: name, state }];
      }),
    };
  }

  #entries(keys: readonly string[]): SubscriptionEntry[] {
    return keys.flatMap((key) => [...(this.#byScope.get(key)?.values() ?? [])]);
  }
}

/** Whether a subscription with these settings has reached its expiration time. */
export function hasExpired(
  { expiresAt }: Pick<EventSubscriptionSettings, "expiresAt">,
  clock: { now(): number },
): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= clock.now();
}

/** @throws ServiceError if the expiration time has passed */
export function checkExpiration(
  settings: Pick<EventSubscriptionSettings, "expiresAt">,
  clock: { now(): number },
): void {
  if (!hasExpired(settings, clock)) return;
  throw invalidRequest(
    `The expiration time '${settings.expiresAt}' has passed. It must be in the future, on the cloud's clock.`,
  );
}
