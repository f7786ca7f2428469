import { LocalCloudError } from "../errors.js";
import type { LingeringOptions } from "../lingering.js";
import type { AppRole } from "./app-role.js";
import { AppRoleAssignments } from "./app-role-assignments.js";
import { type Application, Applications } from "./applications.js";
import { firstPartyApplications } from "./first-party.js";
import type { SecretCheck } from "./passwords.js";
import { type ServicePrincipal, ServicePrincipals } from "./service-principals.js";

/** A user or a group: known by its object ID, and able to have roles. */
export interface Person {
  readonly displayName: string;
  readonly type: "User" | "Group";
}

export interface Assignee {
  readonly displayName: string;
  readonly type: Person["type"] | "ServicePrincipal";
}

/** One Entra tenant: its applications, service principals and who has which app role. */
export class Tenant {
  readonly applications: Applications;
  readonly servicePrincipals: ServicePrincipals;
  readonly appRoleAssignments: AppRoleAssignments;
  /** Users and groups that were declared, by object ID in lower case. */
  readonly people = new Map<string, Person>();

  constructor(
    readonly id: string,
    private readonly directory: {
      now: () => number;
      newId: () => string;
      deletedAssignments: LingeringOptions;
      /** Applications of any tenant: a principal may stand for another tenant's application. */
      applicationOf: (clientId: string) => Application | undefined;
    },
  ) {
    const { now, newId, deletedAssignments } = directory;
    this.applications = new Applications(id, now, newId);
    this.servicePrincipals = new ServicePrincipals(
      id,
      newId,
      (clientId) =>
        firstPartyOf(clientId) !== undefined || directory.applicationOf(clientId) !== undefined,
    );
    this.appRoleAssignments = new AppRoleAssignments(now, newId, deletedAssignments);
  }

  /** The principal of an application of this tenant, by the application's client ID or URI. */
  principalOf(clientIdOrUri: string): ServicePrincipal | undefined {
    const application = this.applications.byClientIdOrUri(clientIdOrUri);
    return application && this.servicePrincipals.byClientId(application.clientId);
  }

  /** The application that a principal of this tenant stands for; none for Microsoft's own. */
  applicationOf(principal: ServicePrincipal): Application | undefined {
    return this.directory.applicationOf(principal.clientId);
  }

  displayNameOf(principal: ServicePrincipal): string {
    return (
      this.applicationOf(principal)?.displayName ??
      firstPartyOf(principal.clientId)?.displayName ??
      principal.displayName ??
      principal.clientId
    );
  }

  /** What a token request may call the principal. */
  namesOf({ clientId }: ServicePrincipal): readonly string[] {
    const uris = this.directory.applicationOf(clientId)?.identifierUris ?? [];
    return firstPartyOf(clientId)?.servicePrincipalNames ?? [clientId, ...uris];
  }

  /** Whoever can have a role: a service principal, a user or a group. */
  assignee(objectId: string): Assignee | undefined {
    const principal = this.servicePrincipals.get(objectId);
    if (!principal) return this.people.get(objectId.toLowerCase());
    return { displayName: this.displayNameOf(principal), type: "ServicePrincipal" };
  }

  /** The roles that a principal offers: those of its application. */
  appRolesOf(principal: ServicePrincipal): readonly AppRole[] {
    return (
      this.applicationOf(principal)?.appRoles ?? firstPartyOf(principal.clientId)?.appRoles ?? []
    );
  }

  /** Values of the enabled app roles that `caller` has on `resource`: a token's `roles` claim. */
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
   * Gives `principal` the role of that value on `resource`; nothing changes when it has it.
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

  /** Whether `secret` is a client secret of the application; `undefined` when there is none such. */
  checkSecret(clientId: string, secret: string): SecretCheck | undefined {
    return this.directory.applicationOf(clientId)?.passwords.check(secret);
  }

  /** Removes a principal, what it had and what others had on it. */
  deleteServicePrincipal(objectId: string): boolean {
    this.appRoleAssignments.deleteOf(objectId.toLowerCase());
    return this.servicePrincipals.delete(objectId);
  }

  /** Removes an application and, as Entra does, its principal in the home tenant. */
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
