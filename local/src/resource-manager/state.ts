import type { Directory } from "../directory/index.js";
import type { Authorization } from "./authorization.js";
import type { ManagedIdentities } from "./managed-identities.js";
import type { Operations } from "./operations.js";
import type { ProviderRegistrations } from "./provider-registrations.js";
import type { ResourceGroups } from "./resource-groups.js";
import type { RoleAssignments } from "./role-assignments.js";
import type { SystemTopics } from "./system-topics.js";

/** What Resource Manager keeps of the subscription, beside what Event Grid keeps itself. */
export interface ResourceManagerState {
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly directory: Directory;
  readonly registrations: ProviderRegistrations;
  readonly roleAssignments: RoleAssignments;
  readonly authorization: Authorization;
  readonly resourceGroups: ResourceGroups;
  readonly identities: ManagedIdentities;
  readonly systemTopics: SystemTopics;
  readonly operations: Operations;
}
