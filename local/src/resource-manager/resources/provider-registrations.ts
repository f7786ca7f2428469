import { ServiceError } from "../../base/index.js";
import { resourceProviders } from "./resource-providers.js";

export type RegistrationState =
  | "NotRegistered"
  | "Registering"
  | "Registered"
  | "Unregistering"
  | "Unregistered";

const EVENT_GRID = "Microsoft.EventGrid";

/** The subscription's registrations with resource providers. */
export class ProviderRegistrations {
  readonly #states: Map<string, RegistrationState>;

  constructor(options: { eventGridRegistered: boolean }) {
    this.#states = new Map(resourceProviders.map((namespace) => [namespace, "Registered"]));
    if (!options.eventGridRegistered) this.#states.set(EVENT_GRID, "NotRegistered");
  }

  /** @internal */
  snapshot(): [string, RegistrationState][] {
    return [...this.#states];
  }

  /** @internal */
  restore(states: readonly (readonly [string, RegistrationState])[]): void {
    for (const [namespace, state] of states) this.#states.set(namespace, state);
  }

  list(): { namespace: string; state: RegistrationState }[] {
    return [...this.#states].map(([namespace, state]) => ({ namespace, state }));
  }

  /** The namespace as Azure writes it, and its state; `undefined` for an unknown namespace. */
  find(namespace: string): { namespace: string; state: RegistrationState } | undefined {
    return this.list().find((each) => each.namespace.toLowerCase() === namespace.toLowerCase());
  }

  set(namespace: string, state: RegistrationState): void {
    this.#states.set(this.find(namespace)?.namespace ?? namespace, state);
  }

  /** @throws ServiceError 409 if the subscription is not registered to use the namespace */
  require(namespace: string): void {
    if (this.find(namespace)?.state === "Registered") return;
    throw new ServiceError(
      409,
      "MissingSubscriptionRegistration",
      `The subscription is not registered to use namespace '${namespace}'. See https://aka.ms/rps-not-found for how to register subscriptions.`,
    );
  }
}
