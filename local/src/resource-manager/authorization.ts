import type { Caller } from "../control-plane/caller.js";
import { ServiceError } from "../errors.js";
import type { RoleAssignments } from "./role-assignments.js";
import {
  allowsAction,
  allowsDataAction,
  type RoleDefinition,
  roleDefinitionById,
} from "./role-definitions.js";
import { isWithin } from "./scopes.js";

/** Actions that a principal may do at a scope and below it. */
interface Allowance {
  readonly principalId: string;
  readonly actions: readonly string[];
  readonly scope: string;
}

/** Azure's role-based access control: who may do what where. */
export class Authorization {
  readonly #allowances: Allowance[] = [];

  constructor(
    private readonly assignments: RoleAssignments,
    private readonly now: () => number,
  ) {}

  /** Lets a principal do what a role that users define would let it. */
  allow(principalId: string, actions: readonly string[], scope: string): void {
    this.#allowances.push({ principalId, actions, scope });
  }

  /** Whether a role of the principal, at the scope or above it and in effect, covers the action. */
  allows(principalId: string, action: string, scope: string): boolean {
    const allowed = this.#allowances.filter((each) => isFor(each, principalId, scope));
    return (
      this.#rolesAt(principalId, scope).some((role) => allowsAction(role, action)) ||
      allowed.some(({ actions }) => allowsAction({ actions, notActions: [] }, action))
    );
  }

  /** The same for an action on data, such as publishing to a topic. */
  allowsData(principalId: string, action: string, scope: string): boolean {
    return this.#rolesAt(principalId, scope).some((role) => allowsDataAction(role, action));
  }

  /** @throws ServiceError 403 `AuthorizationFailed` when the caller may not do it. */
  require(caller: Caller, action: string, scope: string): void {
    if (this.allows(caller.objectId, action, scope)) return;
    throw new ServiceError(
      403,
      "AuthorizationFailed",
      `The client '${caller.clientId}' with object id '${caller.objectId}' does not have authorization to perform action '${action}' over scope '${scope}' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
    );
  }

  #rolesAt(principalId: string, scope: string): RoleDefinition[] {
    return this.assignments
      .list()
      .filter((each) => each.effectiveAt <= this.now() && isFor(each, principalId, scope))
      .flatMap((each) => roleDefinitionById(each.roleId) ?? []);
  }
}

function isFor(
  given: { readonly principalId: string; readonly scope: string },
  principalId: string,
  scope: string,
): boolean {
  const same = given.principalId.toLowerCase() === principalId.toLowerCase();
  return same && isWithin(scope, given.scope);
}
