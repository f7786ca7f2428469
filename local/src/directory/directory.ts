import * as v from "valibot";
import {
  checkOptions,
  fields,
  flag,
  type LingeringOptions,
  LocalCloudError,
  text,
} from "../base/index.js";
import { type Application, Applications, type AppRole } from "./applications.js";
import { EVENT_GRID_CLIENT_ID, firstPartyApplications, GRAPH_CLIENT_ID } from "./first-party.js";
import type { SecretCheck } from "./passwords.js";
import {
  AppRoleAssignments,
  type ServicePrincipal,
  ServicePrincipals,
} from "./service-principals.js";

export interface DirectoryOptions {
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
  /**
   * How long a deleted app role assignment conflicts with the same one.
   * @default not at all
   */
  readonly deletedAssignments?: LingeringOptions;
  /**
   * How long a role that is added to an existing application cannot be assigned.
   * @default not at all
   */
  readonly newAppRoles?: LingeringOptions;
}

export interface NewTenant {
  readonly tenantId: string;
  /**
   * Whether Event Grid's own service principal exists. Real tenants that never used a secured
   * webhook may lack it.
   * @default true
   */
  readonly eventGridPrincipal?: boolean | undefined;
}

const newTenant = fields({ tenantId: text, eventGridPrincipal: v.optional(flag) });

/** Entra's directory: all tenants. */
export class Directory {
  readonly #tenants = new Map<string, Tenant>();

  constructor(private readonly options: DirectoryOptions = {}) {}

  /**
   * Returns the tenant with this ID, created if necessary.
   *
   * @throws LocalCloudError `ERR_OPTIONS`
   */
  createTenant(props: NewTenant): Tenant {
    checkOptions(newTenant, props, "Invalid options of a tenant");
    const existing = this.tenant(props.tenantId);
    if (existing) return existing;
    const tenant = new Tenant(props.tenantId.toLowerCase(), this.options, (clientId) =>
      this.applicationOf(clientId),
    );
    tenant.servicePrincipals.create({ clientId: GRAPH_CLIENT_ID });
    if (props.eventGridPrincipal ?? true) {
      tenant.servicePrincipals.create({ clientId: EVENT_GRID_CLIENT_ID });
    }
    this.#tenants.set(tenant.id, tenant);
    return tenant;
  }

  tenant(tenantId: string): Tenant | undefined {
    return this.#tenants.get(tenantId.toLowerCase());
  }

  /** @internal */
  snapshot() {
    return this.tenants().map((tenant) => tenant.snapshot());
  }

  /** @internal */
  restore(tenants: ReturnType<Directory["snapshot"]>): void {
    for (const snapshot of tenants) this.createTenant({ tenantId: snapshot.id }).restore(snapshot);
  }

  tenants(): Tenant[] {
    return [...this.#tenants.values()];
  }

  /** An application of any tenant by its client ID. */
  applicationOf(clientId: string): Application | undefined {
    for (const tenant of this.#tenants.values()) {
      const application = tenant.applications.byClientId(clientId);
      if (application) return application;
    }
    return undefined;
  }
}

/** A user or a group. */
export interface UserOrGroup {
  readonly displayName: string;
  readonly type: "User" | "Group";
  /** The object IDs of a group's members, in lower case. Only code declares them. */
  readonly members?: readonly string[] | undefined;
  /** The other properties of a group that Graph has created. */
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
}

export interface Assignee {
  readonly displayName: string;
  readonly type: UserOrGroup["type"] | "ServicePrincipal";
}

/** An Entra tenant: applications, service principals and app role assignments. */
export class Tenant {
  readonly applications: Applications;
  readonly servicePrincipals: ServicePrincipals;
  readonly appRoleAssignments: AppRoleAssignments;
  /** Users and groups by object ID in lower case. */
  readonly usersAndGroups = new Map<string, UserOrGroup>();

  constructor(
    readonly id: string,
    options: DirectoryOptions,
    /** Finds an application of any tenant: a principal may belong to another tenant's application. */
    private readonly applicationAnywhere: (clientId: string) => Application | undefined,
  ) {
    const { now = Date.now } = options;
    const atOnce = { now, seconds: 0 };
    const { deletedAssignments = atOnce, newAppRoles = atOnce } = options;
    this.applications = new Applications(id, now, newAppRoles);
    this.servicePrincipals = new ServicePrincipals(
      id,
      now,
      (clientId) => (firstPartyOf(clientId) ?? applicationAnywhere(clientId)) !== undefined,
    );
    this.appRoleAssignments = new AppRoleAssignments(now, deletedAssignments);
  }

  /** @internal */
  snapshot() {
    return {
      id: this.id,
      applications: this.applications.snapshot(),
      servicePrincipals: this.servicePrincipals.snapshot(),
      appRoleAssignments: this.appRoleAssignments.list(),
      usersAndGroups: [...this.usersAndGroups],
    };
  }

  /** @internal */
  restore(snapshot: ReturnType<Tenant["snapshot"]>): void {
    this.applications.restore(snapshot.applications);
    this.servicePrincipals.restore(snapshot.servicePrincipals);
    this.appRoleAssignments.restore(snapshot.appRoleAssignments);
    for (const [objectId, userOrGroup] of snapshot.usersAndGroups)
      this.usersAndGroups.set(objectId, userOrGroup);
  }

  /** The principal of an application of this tenant, by the application's client ID or identifier URI. */
  principalOf(clientIdOrUri: string): ServicePrincipal | undefined {
    const application = this.applications.byClientIdOrUri(clientIdOrUri);
    return application && this.servicePrincipals.byClientId(application.clientId);
  }

  /** The application of a principal; `undefined` for Microsoft's own and managed identities. */
  applicationOf({ clientId }: ServicePrincipal): Application | undefined {
    return this.applicationAnywhere(clientId);
  }

  displayNameOf(principal: ServicePrincipal): string {
    return (
      this.applicationOf(principal)?.displayName ??
      firstPartyOf(principal.clientId)?.displayName ??
      principal.displayName ??
      principal.clientId
    );
  }

  /** The names by which a token request may refer to the principal. */
  namesOf(principal: ServicePrincipal): readonly string[] {
    const { clientId } = principal;
    const uris = this.applicationOf(principal)?.identifierUris ?? [];
    return firstPartyOf(clientId)?.servicePrincipalNames ?? [clientId, ...uris];
  }

  /** A service principal, a user or a group, any of which can have roles. */
  assignee(objectId: string): Assignee | undefined {
    const principal = this.servicePrincipals.get(objectId);
    if (!principal) return this.usersAndGroups.get(objectId.toLowerCase());
    return { displayName: this.displayNameOf(principal), type: "ServicePrincipal" };
  }

  /**
   * The object IDs of a principal and of the groups that it is in, also through other groups.
   *
   * @see https://learn.microsoft.com/azure/role-based-access-control/overview#groups
   */
  withGroups(objectId: string): readonly string[] {
    const found = [objectId.toLowerCase()];
    for (const member of found) {
      for (const [id, { members }] of this.usersAndGroups) {
        if (members?.includes(member) && !found.includes(id)) found.push(id);
      }
    }
    return found;
  }

  /** The app roles of the principal's application that can be assigned by now. */
  assignableRolesOf(principal: ServicePrincipal): readonly AppRole[] {
    const replicating = this.applications.replicatingRoles();
    return this.appRolesOf(principal).filter(({ id }) => !replicating.includes(id));
  }

  /** The app roles of the principal's application. */
  appRolesOf(principal: ServicePrincipal): readonly AppRole[] {
    return (
      this.applicationOf(principal)?.appRoles ?? firstPartyOf(principal.clientId)?.appRoles ?? []
    );
  }

  /** The `roles` claim: values of the enabled app roles that `caller` has on `resource`. */
  rolesOf(caller: ServicePrincipal, resource: Application | ServicePrincipal): string[] {
    const target = this.servicePrincipals.byClientId(resource.clientId);
    if (!target) return [];
    const assigned = new Set(
      this.appRoleAssignments
        .list()
        .filter((each) => each.resourceId === target.objectId)
        .filter((each) => each.principalId === caller.objectId)
        .map((each) => each.appRoleId),
    );
    return this.appRolesOf(target)
      .filter((role) => role.isEnabled && assigned.has(role.id))
      .flatMap((role) => role.value || []);
  }

  /**
   * Assigns `principal` the role on `resource`, unless it has it already.
   *
   * @throws LocalCloudError `ERR_UNKNOWN_APP_ROLE`
   */
  grant(principal: ServicePrincipal, resource: ServicePrincipal, roleValue: string): void {
    const offered = this.appRolesOf(resource);
    const role = offered.find((each) => each.value === roleValue);
    if (!role) {
      throw new LocalCloudError(
        "ERR_UNKNOWN_APP_ROLE",
        `The application '${this.displayNameOf(resource)}' has no app role '${roleValue}'. It has: ${offered.map(({ value }) => value).join(", ") || "none"}.`,
      );
    }
    if (this.rolesOf(principal, resource).includes(roleValue)) return;
    this.appRoleAssignments.create({
      appRoleId: role.id,
      principalId: principal.objectId,
      resourceId: resource.objectId,
    });
  }

  /**
   * Checks a client secret of the application or of its principal here; `undefined` if the application
   * does not exist.
   */
  checkSecret(clientId: string, secret: string): SecretCheck | undefined {
    const own = this.servicePrincipals.byClientId(clientId)?.passwords.check(secret);
    const check = this.applicationAnywhere(clientId)?.passwords.check(secret);
    return check === "wrong" ? own : check;
  }

  /** Deletes a principal, its role assignments and those of others on it. */
  deleteServicePrincipal(objectId: string): boolean {
    this.appRoleAssignments.deleteOf(objectId.toLowerCase());
    return this.servicePrincipals.delete(objectId);
  }

  /** Deletes an application and, as in Entra, its principal in the home tenant. */
  deleteApplication(objectId: string): boolean {
    const application = this.applications.get(objectId);
    if (!application) return false;
    const principal = this.servicePrincipals.byClientId(application.clientId);
    if (principal) this.deleteServicePrincipal(principal.objectId);
    return this.applications.delete(objectId);
  }
}

function firstPartyOf(clientId: string) {
  return firstPartyApplications.find((each) => each.clientId === clientId.toLowerCase());
}
