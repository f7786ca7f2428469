import type { Answer, Doubt, Known } from "./answers.js";

/** A resource of Azure, in Resource Manager's form. */
export interface Resource {
  readonly id: string;
  /** Its name in a report, and those of others that say how it is. */
  readonly witnesses: readonly string[];
  readonly body: unknown;
}

/** A list, as far as a world knows it. */
export interface List<T> {
  readonly items: readonly T[];
  /** Why there may be others; undefined if the list is complete. */
  readonly rest?: Doubt | undefined;
}

/** A role that somebody has. */
export interface RoleAssignment {
  /** Says if the principal has it, itself or through a group. */
  readonly isHeld: Answer;
  readonly scope: Known<string>;
  readonly role: Known<Role>;
  readonly hasCondition: boolean;
}

/** The definition of a role. */
export interface Role {
  /** The GUID of its definition. */
  readonly id: string;
  readonly permissions: readonly Permissions[];
  /** The label of a custom role in a report; undefined for a built-in role. */
  readonly witness?: string;
}

export interface Permissions {
  readonly actions?: readonly string[];
  readonly notActions?: readonly string[];
  readonly dataActions?: readonly string[];
  readonly notDataActions?: readonly string[];
}

/** A service principal of Entra. */
export interface Principal {
  readonly id: Known<string>;
  readonly name: string;
  readonly witnesses: readonly string[];
  readonly isEnabled: Known<boolean>;
  readonly appRoles: List<AppRole>;
}

export interface AppRole {
  readonly id: Known<string>;
  readonly value: Known<string>;
  readonly isEnabled: Known<boolean>;
  readonly memberTypes: Known<readonly string[]>;
  readonly witnesses: readonly string[];
}

export interface AppRoleAssignment {
  readonly principalId: Known<string>;
  /** Its users have the role, too. */
  readonly isToGroup?: boolean;
  readonly appRoleId: Known<string>;
  readonly witness: string;
}

export interface PrivateEndpoint {
  readonly isApproved: boolean;
  readonly witness: string;
}

/** An application of Entra. */
export interface Application {
  readonly clientId: Known<string>;
  readonly identifierUris: List<string>;
  /** The version of the tokens that are issued for it. */
  readonly tokenVersion: Known<number>;
  readonly witnesses: readonly string[];
}

/** The questions of rules to Azure as it is now, or as a plan makes it. Undefined stands for what does not exist. */
export interface World {
  resource(id: string): Promise<Known<Resource | undefined>>;
  /**
   * The role assignments that may apply at a scope, and that a principal has itself or through groups; those
   * that may be its own if it is not known.
   */
  roleAssignments(
    principalId: Known<string>,
    scope: string,
    through: "itself" | "groups",
  ): Promise<List<RoleAssignment>>;
  /** The ID of the system topic of a resource, whose identities deliver its events; undefined if none is shown. */
  systemTopicOf(source: string): Promise<string | undefined>;
  /** The private endpoints that lead to a resource. */
  privateEndpoints(to: Resource): Promise<List<PrivateEndpoint>>;
  /** The application with a client ID, or with an identifier URI. */
  application(name: string): Promise<Known<Application | undefined>>;
  /** The service principal of an application. */
  principal(name: string): Promise<Known<Principal | undefined>>;
  /** The app roles of a service principal that others have. */
  appRoleAssignments(of: Principal): Promise<List<AppRoleAssignment>>;
  /** The object IDs of the owners of a service principal. */
  owners(of: Principal): Promise<List<string>>;
}
