import definitions from "./role-definitions.json";

/** A built-in role. */
export interface RoleDefinition {
  /** Azure's ID of the role, the same in every tenant. */
  readonly id: string;
  readonly roleName: string;
  readonly description: string;
  /** Management actions; `*` stands for any characters. */
  readonly actions: readonly string[];
  readonly notActions: readonly string[];
  /** Actions on data, such as publishing. */
  readonly dataActions: readonly string[];
}

/** ID of the role that may do everything. */
export const OWNER = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635";

/** The built-in roles for Event Grid, its deployment and its dead letters, as Azure describes them. */
export const roleDefinitions: readonly RoleDefinition[] = definitions;
