import { RoleAssignment } from "@cdktf/provider-azurerm/lib/role-assignment/index.js";
import { Annotations, Aspects, TerraformResource, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { identityOf, OncePerStack, originOf } from "../terraform/index.js";
import { type AzureRole, roleDefinition } from "./azure-role-assignment.js";

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
  const assignments = roleAssignments.get(stack, "", () =>
    stack.node.findAll().filter(isRoleAssignment),
  );
  const wanted = identityOf(stack, scope).toLowerCase();
  return assignments.some((assignment) => {
    const { roleDefinitionIdInput = "", roleDefinitionNameInput, scopeInput = "" } = assignment;
    const isOfRole =
      roleDefinitionNameInput === role || roleDefinitionIdInput.endsWith(roleDefinition(role));
    const at = identityOf(stack, scopeInput).toLowerCase();
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
