import { isDeepStrictEqual } from "node:util";
import type { Caller } from "../../api/index.js";
import { isWithin, ServiceError } from "../../base/index.js";
import type { Directory } from "../../directory/index.js";
import type { RoleAssignments } from "./role-assignments.js";
import {
  allowsAction,
  allowsDataAction,
  type RoleDefinition,
  roleDefinitionById,
} from "./role-definitions.js";

/** State that role assignments and their checks need. */
export interface AuthorizationState {
  readonly tenantId: string;
  readonly directory: Directory;
  readonly roleAssignments: RoleAssignments;
  readonly authorization: Authorization;
}

/** Actions that a principal may do at a scope and below it. */
interface Allowance {
  readonly principalId: string;
  readonly actions: readonly string[];
  readonly scope: string;
}

/** Azure's role-based access control. */
export class Authorization {
  #allowances: readonly Allowance[] = [];

  constructor(
    private readonly assignments: RoleAssignments,
    private readonly now: () => number,
  ) {}

  /** Allows actions, as a custom role would. */
  allow(principalId: string, actions: readonly string[], scope: string): void {
    const added = { principalId, actions, scope };
    // The same call at every start must not fill a persisted state.
    if (this.#allowances.some((each) => isDeepStrictEqual(each, added))) return;
    this.#allowances = [...this.#allowances, added];
  }

  /** @internal */
  snapshot(): readonly Allowance[] {
    return this.#allowances;
  }

  /** @internal */
  restore(allowances: readonly Allowance[]): void {
    this.#allowances = allowances;
  }

  /** Whether a role of the principal that is in effect at the scope or above allows the action. */
  allows(principalId: string, action: string, scope: string): boolean {
    const allowed = this.#allowances.filter((each) => isFor(each, principalId, scope));
    return (
      this.#rolesAt(principalId, scope).some((role) => allowsAction(role, action)) ||
      allowed.some(({ actions }) => allowsAction({ actions, notActions: [] }, action))
    );
  }

  /** As `allows`, for an action on data such as publishing to a topic. */
  allowsData(principalId: string, action: string, scope: string): boolean {
    return this.#rolesAt(principalId, scope).some((role) => allowsDataAction(role, action));
  }

  /** @throws ServiceError 403 `AuthorizationFailed` if the caller may not do the action */
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
