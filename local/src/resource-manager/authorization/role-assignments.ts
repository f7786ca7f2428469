import { isWithin, Lingering, normalizeScope, ServiceError, sameScope } from "../../base/index.js";

/** A role of a principal at a scope and below it. */
export interface RoleAssignment {
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
  readonly createdOn: string;
  readonly updatedOn: string;
  /** Milliseconds since 1970 when it takes effect: in Azure that takes a while. */
  readonly effectiveAt: number;
}

export type NewRoleAssignment = Pick<RoleAssignment, "name" | "scope" | "roleId" | "principalId"> &
  Partial<Pick<RoleAssignment, "principalType" | "description" | "condition" | "conditionVersion">>;

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
  #all: RoleAssignment[] = [];
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
        return this.#replace(named, { ...named, ...props, scope, updatedOn });
      }
      throw new ServiceError(
        400,
        "RoleAssignmentUpdateNotPermitted",
        "Tenant ID, application ID, principal ID, and scope are not allowed to be updated.",
      );
    }
    const same = [...this.#all, ...this.#deleted.list()].find(
      (each) => assignsSameRole(each, props) && sameScope(each.scope, scope),
    );
    if (same) {
      throw new ServiceError(
        409,
        "RoleAssignmentExists",
        `The role assignment already exists. The ID of the existing role assignment is ${same.name.replaceAll("-", "")}.`,
      );
    }
    const assignment: RoleAssignment = {
      principalType: "ServicePrincipal",
      description: null,
      condition: null,
      conditionVersion: null,
      ...props,
      scope,
      createdOn: updatedOn,
      updatedOn,
      effectiveAt: now + delaySeconds * 1000,
    };
    this.#all.push(assignment);
    return assignment;
  }

  get(scope: string, name: string): RoleAssignment | undefined {
    return this.#all.find((each) => isNamed(each, scope, name));
  }

  /** The deleted assignment; `undefined` if there was none. */
  delete(scope: string, name: string): RoleAssignment | undefined {
    const index = this.#all.findIndex((each) => isNamed(each, scope, name));
    const [deleted] = index < 0 ? [] : this.#all.splice(index, 1);
    if (deleted) this.#deleted.add(deleted);
    return deleted;
  }

  /** @internal */
  snapshot(): readonly RoleAssignment[] {
    return this.#all;
  }

  /** @internal Replaces all assignments. */
  restore(assignments: readonly RoleAssignment[]): void {
    this.#all = [...assignments];
  }

  /** Deletes the assignments at a scope that no longer exists, and below it. */
  deleteWithin(scope: string): void {
    this.#all = this.#all.filter((each) => !isWithin(each.scope, scope));
  }

  list(): readonly RoleAssignment[] {
    return this.#all;
  }

  #replace(before: RoleAssignment, after: RoleAssignment): RoleAssignment {
    this.#all = this.#all.map((each) => (each === before ? after : each));
    return after;
  }
}

function isNamed(assignment: RoleAssignment, scope: string, name: string): boolean {
  return assignment.name.toLowerCase() === name.toLowerCase() && sameScope(assignment.scope, scope);
}

function assignsSameRole(one: NewRoleAssignment, other: NewRoleAssignment): boolean {
  const samePrincipal = one.principalId.toLowerCase() === other.principalId.toLowerCase();
  return samePrincipal && one.roleId === other.roleId;
}
