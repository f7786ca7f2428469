import { invalidRequest, scopeKey } from "../../base/index.js";
import type { UnreadySubscription } from "../events/index.js";
import { hasExpired, type Subscriber } from "../subscriber.js";
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
  /** The stored properties, as Resource Manager writes them, with their secrets. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** The same properties, parsed. */
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

/** A subscription as it is now. It has a subscriber once it is ready. */
export interface SubscriptionEntry {
  subscription: EventSubscription;
  subscriber: Subscriber | undefined;
  /** The number of operations that have begun. */
  operations: number;
}

/** The event subscriptions that an event is offered to. */
export interface Recipients {
  readonly subscribers: readonly Subscriber[];
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
    const entry = byName.get(name) ?? { subscription, subscriber: undefined, operations: 0 };
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

  /** Those of all event subscriptions. */
  subscribers(): readonly Subscriber[] {
    return this.recipients([...this.#byScope.keys()]).subscribers;
  }

  /** The event subscriptions at exactly these scopes. */
  recipients(scopes: readonly string[]): Recipients {
    const entries = this.#entries(scopes.map(scopeKey));
    return {
      subscribers: entries.flatMap(({ subscriber }) => subscriber ?? []),
      unready: entries.flatMap(({ subscriber, subscription }) => {
        const { id: subscriptionId, name, provisioningState: state } = subscription;
        return subscriber ? [] : [{ subscriptionId, subscription: name, state }];
      }),
    };
  }

  #entries(keys: readonly string[]): SubscriptionEntry[] {
    return keys.flatMap((key) => [...(this.#byScope.get(key)?.values() ?? [])]);
  }
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
