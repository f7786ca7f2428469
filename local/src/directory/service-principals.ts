import { randomUUID } from "node:crypto";
import { Lingering, type LingeringOptions, serviceError } from "../base/index.js";
import { DirectoryObjects } from "./directory-objects.js";
import { type PasswordSnapshot, Passwords } from "./passwords.js";

/** An application's identity in one tenant: it signs in and has roles. */
export interface ServicePrincipal {
  readonly objectId: string;
  /** Client ID of the application. */
  readonly clientId: string;
  readonly tenantId: string;
  /** Set for managed identities only; others have their application's name. */
  readonly displayName?: string;
  readonly owners: Set<string>;
  /** Client secrets beside those of the application. */
  readonly passwords: Passwords;
  readonly createdDateTime?: string;
  /** The other fields from Graph, stored unchanged. */
  attributes: Readonly<Record<string, unknown>>;
}

/** An identity that Azure gives a resource, which has no secret. */
export interface ManagedIdentity {
  readonly principal: ServicePrincipal;
  /** The user-assigned identity, or the resource that a system-assigned one belongs to. */
  readonly resourceId: string;
  readonly isUserAssigned: boolean;
}

export interface NewServicePrincipal {
  readonly clientId: string;
  /** @default a random UUID */
  readonly objectId?: string | undefined;
  readonly owners?: readonly string[] | undefined;
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
}

type PrincipalSnapshot = Omit<ServicePrincipal, "owners" | "passwords"> & {
  readonly owners: readonly string[];
  readonly passwords?: readonly PasswordSnapshot[];
};

/** The service principals of one tenant. */
export class ServicePrincipals extends DirectoryObjects<ServicePrincipal, PrincipalSnapshot> {
  constructor(
    private readonly tenantId: string,
    now: () => number,
    private readonly applicationExists: (clientId: string) => boolean,
  ) {
    super(now);
  }

  /** @throws ServiceError if the application does not exist, or has a principal here already */
  create(props: NewServicePrincipal): ServicePrincipal {
    const clientId = props.clientId.toLowerCase();
    if (!this.applicationExists(clientId)) {
      throw serviceError.NoBackingApplicationObject(
        `The appId '${clientId}' of the service principal does not reference a valid application object.`,
      );
    }
    if (this.byClientId(clientId)) {
      throw serviceError.Request_MultipleObjectsWithSameKeyValue(
        `The service principal cannot be created, updated, or restored because the service principal name ${clientId} is already in use.`,
      );
    }
    return this.add({
      objectId: (props.objectId ?? randomUUID()).toLowerCase(),
      clientId,
      tenantId: this.tenantId,
      owners: new Set(props.owners),
      passwords: new Passwords(this.now),
      createdDateTime: new Date(this.now()).toISOString(),
      attributes: props.attributes ?? {},
    });
  }

  /** Creates the principal of a managed identity, which has no application. */
  createManagedIdentity(resource: { readonly id: string; readonly name: string }) {
    return this.add({
      objectId: randomUUID(),
      clientId: randomUUID(),
      tenantId: this.tenantId,
      displayName: resource.name,
      owners: new Set(),
      passwords: new Passwords(this.now),
      createdDateTime: new Date(this.now()).toISOString(),
      attributes: {
        servicePrincipalType: "ManagedIdentity",
        // User-assigned ones exist for their own sake, the others for their resource.
        alternativeNames: [
          /\/userAssignedIdentities\//i.test(resource.id) ? "isExplicit=True" : "isExplicit=False",
          resource.id,
        ],
      },
    });
  }

  /** The managed identities, with their resources. */
  managedIdentities(): ManagedIdentity[] {
    return this.list().flatMap((principal) => {
      const { servicePrincipalType, alternativeNames } = principal.attributes;
      if (servicePrincipalType !== "ManagedIdentity" || !Array.isArray(alternativeNames)) return [];
      const [explicit, resourceId] = alternativeNames.map(String);
      const isUserAssigned = explicit === "isExplicit=True";
      return resourceId === undefined ? [] : [{ principal, resourceId, isUserAssigned }];
    });
  }

  /** @internal */
  protected override snapshotOf({ owners, passwords, ...principal }: ServicePrincipal) {
    return { ...principal, owners: [...owners], passwords: passwords.snapshot() };
  }

  /** @internal */
  protected override restored({ owners, passwords, ...principal }: PrincipalSnapshot) {
    return {
      ...principal,
      owners: new Set(owners),
      passwords: new Passwords(this.now, passwords),
    };
  }
}

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
      throw serviceError.Request_BadRequest(
        "Permission being assigned already exists on the object",
      );
    }
    const assignment = {
      ...props,
      id: Buffer.from(randomUUID().replaceAll("-", ""), "hex").toString("base64url"),
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

  /** Removes the assignments of a principal, and those of others on it. */
  deleteOf(objectId: string): void {
    for (const { id, principalId, resourceId } of this.list()) {
      if (principalId === objectId || resourceId === objectId) this.#byId.delete(id);
    }
  }
}
