import { nameIn, subscriptionOf } from "../../base/index.js";
import builtInRoles from "./role-definitions.json";

/** The actions that a role allows; `*` stands for any characters. */
export interface Permission {
  /** Management actions. */
  readonly actions: readonly string[];
  readonly notActions: readonly string[];
  /** Actions on data, such as publishing. */
  readonly dataActions: readonly string[];
  readonly notDataActions: readonly string[];
}

export interface RoleDefinition {
  /** UUID, for a built-in role the same in every tenant. */
  readonly id: string;
  readonly roleName: string;
  readonly type: "BuiltInRole" | "CustomRole";
  readonly description: string;
  readonly permissions: readonly Permission[];
  /** Where the role can be assigned. */
  readonly assignableScopes: readonly string[];
  readonly createdOn: string;
  readonly updatedOn: string;
  /** Object IDs of the principals that wrote it; `null` for Azure. */
  readonly createdBy: string | null;
  readonly updatedBy: string | null;
}

/** ID of the role that may do everything. */
export const OWNER = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635";

/** When most built-in roles were added to Azure. */
const ADDED_ON = "2015-02-02T21:55:09.8806423Z";

const nothing = { actions: [], notActions: [], dataActions: [], notDataActions: [] };

/** The built-in roles at resources that are served here, as Azure describes them. */
const builtIn: readonly RoleDefinition[] = builtInRoles.map(
  ({ id, roleName, description, ...permission }) => ({
    id,
    roleName,
    type: "BuiltInRole",
    description,
    permissions: [{ ...nothing, ...permission }],
    assignableScopes: ["/"],
    createdOn: ADDED_ON,
    updatedOn: ADDED_ON,
    createdBy: null,
    updatedBy: null,
  }),
);

/** The built-in roles, which exist at every scope, and the custom ones of the tenant. */
export class RoleDefinitions {
  readonly builtIn = builtIn;
  #custom: readonly RoleDefinition[] = [];

  list(): readonly RoleDefinition[] {
    return [...builtIn, ...this.#custom];
  }

  /** @param id the UUID, or a resource ID that ends with it */
  get(id: string): RoleDefinition | undefined {
    const guid = nameIn(id).toLowerCase();
    return this.list().find((each) => each.id === guid);
  }

  named(name: string): RoleDefinition | undefined {
    return this.list().find((each) => each.roleName.toLowerCase() === name.toLowerCase());
  }

  /** Adds a custom role, or replaces the one with its ID. */
  put(role: RoleDefinition): void {
    this.delete(role.id);
    this.#custom = [...this.#custom, role];
  }

  delete(id: string): void {
    this.#custom = this.#custom.filter((each) => each.id !== id);
  }

  /** @internal */
  snapshot(): readonly RoleDefinition[] {
    return this.#custom;
  }

  /** @internal Replaces all custom roles. */
  restore(custom: readonly RoleDefinition[]): void {
    this.#custom = custom;
  }
}

/** A role definition's resource ID at a scope, below the scope's subscription if it has one. */
export function roleDefinitionIdAt(scope: string, roleId: string): string {
  const subscription = subscriptionOf(scope);
  const prefix = subscription === undefined ? "" : `/subscriptions/${subscription}`;
  return `${prefix}/providers/Microsoft.Authorization/roleDefinitions/${roleId}`;
}
