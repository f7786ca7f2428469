import { isDeepStrictEqual } from "node:util";
import type { Caller } from "../../api/index.js";
import {
  isWithin,
  Lingering,
  normalizeScope,
  ResourceStore,
  SECOND_MS,
  sameScope,
  serviceError,
} from "../../base/index.js";
import type { Tenant } from "../../directory/index.js";
import type { Permission, RoleDefinitions } from "./role-definitions.js";

/** A role of a principal at a scope and below it. */
export interface RoleAssignment {
  /** The resource ID. */
  readonly id: string;
  /** A UUID that the caller chooses. */
  readonly name: string;
  readonly scope: string;
  /** UUID of the role definition. */
  readonly roleId: string;
  readonly principalId: string;
  readonly principalType: string;
  readonly description: string | null;
  readonly condition: string | null;
  readonly conditionVersion: string | null;
  readonly delegatedManagedIdentityResourceId: string | null;
  readonly createdOn: string;
  readonly updatedOn: string;
  /** Object IDs of the principals that wrote it; `null` for code. */
  readonly createdBy: string | null;
  readonly updatedBy: string | null;
  /** Milliseconds since 1970 when it takes effect: in Azure that takes a while. */
  readonly effectiveAt: number;
}

export type NewRoleAssignment = Pick<RoleAssignment, "name" | "scope" | "roleId" | "principalId"> &
  Partial<
    Pick<
      RoleAssignment,
      | "principalType"
      | "description"
      | "condition"
      | "conditionVersion"
      | "delegatedManagedIdentityResourceId"
      | "updatedBy"
    >
  >;

export interface RoleAssignmentsOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Seconds until an assignment takes effect. @default 0 */
  readonly delaySeconds?: number | undefined;
  /** Seconds for which a deleted assignment conflicts with the same one. @default 0 */
  readonly deletionDelaySeconds?: number | undefined;
}

/** All role assignments. */
export class RoleAssignments {
  readonly #all = new ResourceStore<RoleAssignment>();
  readonly #deleted: Lingering<RoleAssignment>;

  constructor(private readonly options: RoleAssignmentsOptions) {
    const { now, deletionDelaySeconds: seconds = 0 } = options;
    this.#deleted = new Lingering({ now, seconds });
  }

  /**
   * Adds an assignment, or changes description and condition of the one with the same name.
   *
   * @param delaySeconds until it takes effect
   * @throws ServiceError 409 if the principal has the role at the scope already, 400 if the name
   * belongs to an assignment of another principal or role
   */
  put(props: NewRoleAssignment, delaySeconds = this.options.delaySeconds ?? 0): RoleAssignment {
    const scope = normalizeScope(props.scope);
    const now = this.options.now();
    const updatedOn = new Date(now).toISOString();
    const named = this.get(scope, props.name);
    if (named) {
      if (assignsSameRole(named, props)) {
        const changed = { ...named, ...props, scope, updatedOn };
        this.#all.put(changed);
        return changed;
      }
      throw serviceError.RoleAssignmentUpdateNotPermitted(
        "Tenant ID, application ID, principal ID, and scope are not allowed to be updated.",
      );
    }
    const same = [...this.#all.list(), ...this.#deleted.list()].find(
      (each) => assignsSameRole(each, props) && sameScope(each.scope, scope),
    );
    if (same) {
      throw serviceError.RoleAssignmentExists(
        `The role assignment already exists. The ID of the existing role assignment is ${same.name.replaceAll("-", "")}.`,
      );
    }
    const assignment: RoleAssignment = {
      id: idOf(scope, props.name),
      principalType: "ServicePrincipal",
      description: null,
      condition: null,
      conditionVersion: null,
      delegatedManagedIdentityResourceId: null,
      updatedBy: null,
      ...props,
      createdBy: props.updatedBy ?? null,
      scope,
      createdOn: updatedOn,
      updatedOn,
      effectiveAt: now + delaySeconds * SECOND_MS,
    };
    this.#all.put(assignment);
    return assignment;
  }

  get(scope: string, name: string): RoleAssignment | undefined {
    return this.withId(idOf(scope, name));
  }

  /** @param id the resource ID */
  withId(id: string): RoleAssignment | undefined {
    return this.#all.get(id);
  }

  /** The deleted assignment; `undefined` if there was none. */
  delete(scope: string, name: string): RoleAssignment | undefined {
    return this.deleteWithId(idOf(scope, name));
  }

  /** @param id the resource ID */
  deleteWithId(id: string): RoleAssignment | undefined {
    const deleted = this.#all.get(id);
    this.#all.delete(id);
    if (deleted) this.#deleted.add(deleted);
    return deleted;
  }

  /** @internal */
  snapshot(): readonly RoleAssignment[] {
    return this.#all.snapshot();
  }

  /** @internal Replaces all assignments. */
  restore(assignments: readonly RoleAssignment[]): void {
    this.#all.restore(assignments);
  }

  /** Deletes the assignments at a scope that no longer exists, and below it. */
  deleteWithin(scope: string): void {
    for (const { id } of this.#all.in(scope)) this.#all.delete(id);
  }

  list(): readonly RoleAssignment[] {
    return this.#all.list();
  }
}

function idOf(scope: string, name: string): string {
  return normalizeScope(`${scope}/providers/Microsoft.Authorization/roleAssignments/${name}`);
}

function assignsSameRole(one: NewRoleAssignment, other: NewRoleAssignment): boolean {
  const samePrincipal = one.principalId.toLowerCase() === other.principalId.toLowerCase();
  return samePrincipal && one.roleId === other.roleId;
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
    private readonly definitions: RoleDefinitions,
    private readonly now: () => number,
    private readonly tenant: Pick<Tenant, "withGroups">,
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
    return (
      this.permissionsAt(principalId, scope).some(
        ({ actions, notActions }) => covers(actions, action) && !covers(notActions, action),
      ) ||
      this.#allowances.some(
        (each) => isFor(each, [principalId], scope) && covers(each.actions, action),
      )
    );
  }

  /** As `allows`, for an action on data such as publishing to a topic. */
  allowsData(principalId: string, action: string, scope: string): boolean {
    return this.permissionsAt(principalId, scope).some(
      ({ dataActions, notDataActions }) =>
        covers(dataActions, action) && !covers(notDataActions, action),
    );
  }

  /** @throws ServiceError 403 `AuthorizationFailed` if the caller may not do the action */
  require(caller: Caller, action: string, scope: string): void {
    if (this.allows(caller.objectId, action, scope)) return;
    throw serviceError.AuthorizationFailed(
      `The client '${caller.clientId}' with object id '${caller.objectId}' does not have authorization to perform action '${action}' over scope '${scope}' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
    );
  }

  /**
   * Checks that the caller may also do an action at another scope, which a request names.
   *
   * @throws ServiceError 403 `LinkedAuthorizationFailed`
   */
  requireLinked(
    caller: Caller,
    request: Readonly<Record<"action" | "scope", string>>,
    linked: typeof request,
  ): void {
    if (this.allows(caller.objectId, linked.action, linked.scope)) return;
    throw serviceError.LinkedAuthorizationFailed(
      `The client '${caller.clientId}' with object id '${caller.objectId}' has permission to perform action '${request.action}' on scope '${request.scope}'; however, it does not have permission to perform action '${linked.action}' on the linked scope(s) '${linked.scope}' or the linked scope(s) are invalid.`,
    );
  }

  /** Returns the permissions at a scope one by one: what one role excludes, another may allow. */
  permissionsAt(principalId: string, scope: string): Permission[] {
    const holders = this.tenant.withGroups(principalId);
    return this.assignments
      .list()
      .filter((each) => each.effectiveAt <= this.now() && isFor(each, holders, scope))
      .flatMap((each) => this.definitions.get(each.roleId)?.permissions ?? []);
  }
}

function isFor(
  given: { readonly principalId: string; readonly scope: string },
  holders: readonly string[],
  scope: string,
): boolean {
  const holds = holders.some((each) => each.toLowerCase() === given.principalId.toLowerCase());
  return holds && isWithin(scope, given.scope);
}

function covers(patterns: readonly string[], action: string): boolean {
  return patterns.some((pattern) => {
    const source = pattern.replaceAll(".", "\\.").replaceAll("*", ".*");
    return new RegExp(`^${source}$`, "i").test(action);
  });
}
