import { Lingering, type LingeringOptions, ServiceError } from "../base/index.js";

/** An app role of a principal on a service principal. */
export interface AppRoleAssignment {
  readonly id: string;
  readonly appRoleId: string;
  /** Object ID of the principal that has the role. */
  readonly principalId: string;
  /** Object ID of the service principal that the role is on. */
  readonly resourceId: string;
  readonly createdDateTime: string;
}

export type NewAppRoleAssignment = Pick<
  AppRoleAssignment,
  "appRoleId" | "principalId" | "resourceId"
>;

/** The app role assignments of one tenant. */
export class AppRoleAssignments {
  readonly #byId = new Map<string, AppRoleAssignment>();
  readonly #deleted: Lingering<AppRoleAssignment>;

  /** @param deleted how long a deleted assignment conflicts with the same one */
  constructor(
    private readonly now: () => number,
    private readonly newId: () => string,
    deleted: LingeringOptions,
  ) {
    this.#deleted = new Lingering(deleted);
  }

  /** @throws ServiceError 400 if the principal has the role already, as in Graph */
  create(props: NewAppRoleAssignment): AppRoleAssignment {
    const same = [...this.list(), ...this.#deleted.list()].find(
      (each) =>
        each.appRoleId === props.appRoleId &&
        each.principalId === props.principalId &&
        each.resourceId === props.resourceId,
    );
    if (same) {
      throw new ServiceError(
        400,
        "Request_BadRequest",
        "Permission being assigned already exists on the object",
      );
    }
    const assignment = {
      ...props,
      id: Buffer.from(this.newId().replaceAll("-", ""), "hex").toString("base64url"),
      createdDateTime: new Date(this.now()).toISOString(),
    };
    this.#byId.set(assignment.id, assignment);
    return assignment;
  }

  get(id: string): AppRoleAssignment | undefined {
    return this.#byId.get(id);
  }

  list(): AppRoleAssignment[] {
    return [...this.#byId.values()];
  }

  /** @internal Replaces all assignments. */
  restore(assignments: readonly AppRoleAssignment[]): void {
    this.#byId.clear();
    for (const assignment of assignments) this.#byId.set(assignment.id, assignment);
  }

  delete(id: string): boolean {
    const assignment = this.#byId.get(id);
    if (assignment) this.#deleted.add(assignment);
    return this.#byId.delete(id);
  }

  /** Removes the assignments of a deleted principal, and those of others on it, which it returns. */
  deleteOf(objectId: string): AppRoleAssignment[] {
    const removed = this.list().filter(
      (each) => each.principalId === objectId || each.resourceId === objectId,
    );
    for (const { id } of removed) this.#byId.delete(id);
    return removed;
  }

  /** Brings a removed assignment back. */
  undelete(assignment: AppRoleAssignment): void {
    this.#byId.set(assignment.id, assignment);
  }
}
