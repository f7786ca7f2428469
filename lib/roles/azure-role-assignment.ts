import type { AppRoleAssignment } from "@cdktf/provider-azuread/lib/app-role-assignment/index.js";
import { RoleAssignment } from "@cdktf/provider-azurerm/lib/role-assignment/index.js";
import {
  Annotations,
  Aspects,
  ref,
  type TerraformProvider,
  TerraformResource,
  TerraformStack,
  Token,
} from "cdktf";
import type { Construct, IConstruct } from "constructs";
import {
  addressOf,
  defined,
  delay,
  identityInAnyCase,
  identityOf,
  OncePerStack,
  originOf,
  resourceIdSegment,
  shortHash,
  type TerraformData,
} from "../terraform/index.js";

/** Azure's built-in roles that bindings assign. Their IDs are the same in every subscription and cloud. */
const azureRoles = {
  /** Writes event subscriptions. */
  "EventGrid EventSubscription Contributor": "428e0ff0-5e57-4d9c-a221-2c70d0e0a443",
  /** Publishes to topics with an Entra token. */
  "EventGrid Data Sender": "d5a91429-5739-47e2-a06b-3470a27159e7",
  /** Receives from topics of namespaces with an Entra token. */
  "EventGrid Data Receiver": "78cbd9e7-9798-4e2e-9b5a-547d9ebb31fb",
  /** Writes blobs, which dead-lettering into a container requires. */
  "Storage Blob Data Contributor": "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
} as const;

/** Name of a built-in role. */
export type AzureRole = keyof typeof azureRoles;

/** The end of the ID of a role's definition. */
function roleDefinition(role: AzureRole): string {
  return `/providers/Microsoft.Authorization/roleDefinitions/${azureRoles[role]}`;
}

/** The kind of identity that an object ID belongs to. */
export type PrincipalType = "User" | "Group" | "ServicePrincipal";

/** A role to be granted to a principal at a scope. */
export interface AzureRoleGrant {
  readonly role: AzureRole;
  /** Resource ID, without a trailing slash: with one, the assignment would be replaced forever. */
  readonly scope: string;
  /** Subscription in the ID of the role's definition. @default that of the scope */
  readonly subscriptionId?: string;
  readonly principalId: string;
  /** @default "ServicePrincipal" */
  readonly principalType?: PrincipalType | undefined;
  readonly description: string;
  readonly azurerm?: TerraformProvider | undefined;
  /** Number of assignments to create, when 0 may turn out to be right. @default 1 */
  readonly count?: number | undefined;
}

const assignments = new OncePerStack<RoleAssignment>("role-assignment");

/**
 * Assigns an Azure role, or returns the assignment that this stack creates already: Azure refuses the
 * same one twice.
 *
 * The role is named by its full ID below the subscription, because with a bare ID the provider
 * replaces the assignment at every plan. The principal's type is given, because without it the
 * provider retries for half an hour when the principal is not replicated yet.
 */
export function grantAzureRole(construct: Construct, grant: AzureRoleGrant): RoleAssignment {
  const key = shortHash(
    grant.role,
    identityInAnyCase(construct, grant.scope),
    identityInAnyCase(construct, grant.principalId),
  );
  return assignments.get(construct, key, (home) => {
    const id = `${grant.role.toLowerCase().replaceAll(" ", "-")}-${key}`;
    const { scope, subscriptionId = resourceIdSegment(scope, 2) } = grant;
    return new RoleAssignment(home, id, {
      scope,
      roleDefinitionId: `/subscriptions/${subscriptionId}${roleDefinition(grant.role)}`,
      principalId: grant.principalId,
      principalType: grant.principalType ?? "ServicePrincipal",
      description: grant.description,
      ...defined({ provider: grant.azurerm, count: grant.count }),
    });
  });
}

type Assignment = RoleAssignment | AppRoleAssignment;

/**
 * Waits until new role assignments have taken effect, because Azure checks them when an event
 * subscription is written. Whenever one of the assignments changes, it waits again.
 *
 * @returns the resources that wait: none without assignments or seconds
 */
export function waitForRoles(
  construct: Construct,
  seconds: number,
  assignments: readonly Assignment[],
): TerraformData[] {
  // Several scopes may dead-letter with one assignment.
  const distinct = new Set(assignments);
  if (seconds === 0 || distinct.size === 0) return [];
  const ids = [...distinct].map((assignment, index) => [`${index}`, idOf(assignment)]);
  const triggersReplace = Object.fromEntries(ids);
  return [delay(construct, "role-effect", { seconds, triggersReplace })];
}

/** The ID of an assignment with a `count` is a list of one element or none. */
function idOf(assignment: Assignment): string {
  if (assignment.count === undefined) return assignment.id;
  return Token.asString(ref(`${addressOf(assignment)}[*].id`));
}

/** A right that a service needs when it runs. */
interface NeededRole {
  readonly role: AzureRole;
  /** ID of the topic or namespace, or the reference to it. */
  readonly scope: string;
  /** The stack of the topic or namespace. @default that of the ID, or the construct's */
  readonly stack?: TerraformStack | undefined;
  readonly warning: string;
}

/**
 * Warns at synthesis if the stack of a topic or namespace assigns a role there to nobody: the service
 * would fail only when it runs.
 *
 * @param needed is called at synthesis; undefined if no role is needed
 */
export function warnWithoutRole(construct: IConstruct, needed: () => NeededRole | undefined): void {
  Aspects.of(construct).add({
    visit(node) {
      const role = node === construct ? needed() : undefined;
      if (role === undefined || isAssigned(construct, role)) return;
      Annotations.of(construct).addWarning(role.warning);
    },
  });
}

const roleAssignments = new OncePerStack<readonly RoleAssignment[]>("all role assignments");

function isAssigned(construct: IConstruct, { role, scope, ...needed }: NeededRole): boolean {
  const stack = needed.stack ?? originOf(scope) ?? TerraformStack.of(construct);
  const assignments = roleAssignments.get(stack, undefined, () =>
    stack.node.findAll().filter(isRoleAssignment),
  );
  const wanted = identityOf(stack, scope).toLowerCase();
  return assignments.some((assignment) => {
    const { roleDefinitionIdInput, roleDefinitionNameInput, scopeInput } = assignment;
    const isOfRole =
      roleDefinitionNameInput === role ||
      roleDefinitionIdInput?.endsWith(roleDefinition(role)) === true;
    const at = identityOf(stack, String(scopeInput)).toLowerCase();
    // A role at a resource group, for example, may be meant for everything in it.
    return isOfRole && (at === wanted || !OF_EVENT_GRID.test(at));
  });
}

const OF_EVENT_GRID = /azurerm_eventgrid_|azapi_resource\.|\/providers\/microsoft\.eventgrid\//;

function isRoleAssignment(node: IConstruct): node is RoleAssignment {
  return (
    TerraformResource.isTerraformResource(node) &&
    node.terraformResourceType === RoleAssignment.tfResourceType
  );
}
