import type { AuthorizationState } from "../authorization/index.js";
import type { ManagedIdentities } from "./managed-identities.js";
import type { Operations } from "./operations.js";
import type { ProviderRegistrations } from "./provider-registrations.js";

/** The state of the subscription. */
export interface SubscriptionState extends AuthorizationState {
  readonly subscriptionId: string;
  readonly registrations: ProviderRegistrations;
  readonly identities: ManagedIdentities;
  readonly operations: Operations;
}
