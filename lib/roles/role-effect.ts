import type { AppRoleAssignment } from "@cdktf/provider-azuread/lib/app-role-assignment/index.js";
import type { RoleAssignment } from "@cdktf/provider-azurerm/lib/role-assignment/index.js";
import { ref, Token } from "cdktf";
import type { Construct } from "constructs";
import { addressOf, delay, type TerraformData } from "../terraform/index.js";

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
  if (seconds <= 0 || distinct.size === 0) return [];
  const ids = [...distinct].map((assignment, index) => [`${index}`, idOf(assignment)]);
  const triggersReplace = Object.fromEntries(ids);
  return [delay(construct, "role-effect", { seconds, triggersReplace })];
}

/** The ID of an assignment with a `count` is a list of one element or none. */
function idOf(assignment: Assignment): string {
  if (assignment.count === undefined) return assignment.id;
  return Token.asString(ref(`${addressOf(assignment)}[*].id`));
}
