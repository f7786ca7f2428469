import { RoleAssignment } from "@cdktf/provider-azurerm/lib/role-assignment/index.js";
import type { TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import { Dependencies, identityInAnyCase, OncePerStack, shortHash } from "../terraform/index.js";

/** Azure's built-in roles that a binding assigns: the same IDs in every subscription and cloud. */
const azureRoles = {
  /** Writes event subscriptions. */
  "EventGrid EventSubscription Contributor": "428e0ff0-5e57-4d9c-a221-2c70d0e0a443",
  /** Publishes to topics with an Entra token. */
  "EventGrid Data Sender": "d5a91429-5739-47e2-a06b-3470a27159e7",
  /** Writes blobs: what the identity needs that dead-letters into a container. */
  "Storage Blob Data Contributor": "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
} as const;

/** Name of a built-in role. */
export type AzureRole = keyof typeof azureRoles;

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

const assignments = new OncePerStack<AzureRoleAssignment>("role-assignment");

/**
 * Assigns an Azure role, or finds the assignment that this stack makes already: Azure refuses the
 * same one twice.
 *
 * The role is named by its full ID below the subscription, because the provider replaces an
 * assignment with a bare one at every plan; and the principal's type is given, because without it a
 * principal that is not replicated yet is retried for half an hour.
 */
export function grantAzureRole(construct: Construct, grant: AzureRoleGrant): AzureRoleAssignment {
  const key = shortHash(
    grant.role,
    identityInAnyCase(construct, grant.scope),
    identityInAnyCase(construct, grant.principalId),
  );
  return assignments.get(construct, key, (home) => {
    const id = `${grant.role.toLowerCase().replaceAll(" ", "-")}-${key}`;
    const dependencies = new Dependencies();
    const resource = new RoleAssignment(home, id, {
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
