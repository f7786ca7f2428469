import type { Directory } from "../../directory/index.js";
import type { ManagedIdentities } from "./managed-identities.js";
import type { Operations } from "./operations.js";
import type { ProviderRegistrations } from "./provider-registrations.js";
import type { Authorization, RoleAssignments } from "./role-assignments.js";
import type { RoleDefinitions } from "./role-definitions.js";

/** The state of the subscription. */
export interface SubscriptionState {
  readonly tenantId: string;
  /** The subscription of a request; the first one for requests that name none. */
  readonly subscriptionId: string;
  /** All Azure subscriptions of the cloud. */
  readonly subscriptionIds: readonly string[];
  /** Milliseconds since 1970 on the cloud's clock. */
  readonly now: () => number;
  readonly directory: Directory;
  readonly roleAssignments: RoleAssignments;
  readonly roleDefinitions: RoleDefinitions;
  readonly authorization: Authorization;
  readonly registrations: ProviderRegistrations;
  readonly identities: ManagedIdentities;
  readonly operations: Operations;
}
