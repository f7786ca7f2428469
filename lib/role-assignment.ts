import { RoleAssignment } from "@cdktf/provider-azurerm/lib/role-assignment/index.js";
import type { TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import { type AzureRole, azureRoles } from "./azure-roles.js";
import { Dependencies } from "./dependencies.js";
import { identityInAnyCase, shortHash } from "./deterministic-id.js";
import { StackParts } from "./stack-parts.js";

/** What kind of identity an object ID belongs to. */
export type PrincipalType = "User" | "Group" | "ServicePrincipal";

/** Who is granted what, and where. */
export interface AzureRoleGrant {
  readonly role: AzureRole;
  /** Resource ID, without a trailing slash: with one, the assignment would be replaced forever. */
  readonly scope: string;
  /** Subscription that the role's definition is named by. */
  readonly subscriptionId: string;
  readonly principalId: string;
  readonly principalType: PrincipalType;
  readonly description: string;
  readonly azurerm?: TerraformProvider | undefined;
  /** Number of assignments to make, where 0 may turn out to be right; 1 by default. */
  readonly count?: number | undefined;
}

/** A role assignment that a stack makes once, whoever asks for it. */
export interface AzureRoleAssignment {
  readonly resource: RoleAssignment;
  readonly dependencies: Dependencies;
}

/**
 * Assigns an Azure role, or finds the assignment that this stack makes already: Azure refuses the
 * same one twice.
 *
 * The role is named by its full ID below the subscription, because the provider replaces an
 * assignment with a bare one at every plan; and the principal's type is given, because without it a
 * principal that is not replicated yet is retried for half an hour.
 */
export function grantAzureRole(construct: Construct, grant: AzureRoleGrant): AzureRoleAssignment {
  const parts = StackParts.of(construct);
  const key = shortHash(
    grant.role,
    identityInAnyCase(construct, grant.scope),
    identityInAnyCase(construct, grant.principalId),
  );
  return parts.roleAssignments.get(key, () => {
    const id = `${grant.role.toLowerCase().replaceAll(" ", "-")}-${key}`;
    const dependencies = new Dependencies();
    const resource = new RoleAssignment(parts, id, {
      scope: grant.scope,
      roleDefinitionId: `/subscriptions/${grant.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${azureRoles[grant.role]}`,
      principalId: grant.principalId,
      principalType: grant.principalType,
      description: grant.description,
      ...(grant.azurerm && { provider: grant.azurerm }),
      ...(grant.count !== undefined && { count: grant.count }),
    });
    dependencies.attachTo(resource);
    return { resource, dependencies };
  });
}
