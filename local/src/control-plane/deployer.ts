import { randomUUID } from "node:crypto";
import { GRAPH_CLIENT_ID, type Tenant } from "../directory/index.js";
import { OWNER, type RoleAssignments } from "../resource-manager/index.js";
import type { DeployerOptions } from "./control-plane-options.js";

export interface Deployer {
  readonly clientId: string;
  readonly secret: string;
}

export function deployerOf(options: DeployerOptions = {}): Deployer {
  return {
    clientId: options.clientId ?? "33333333-3333-4333-8333-333333333333",
    secret: options.secret ?? "local-deployer-secret",
  };
}

/** Creates the deployer: owner of the subscription, with the Graph permissions that stacks need. */
export function declareDeployer(
  { clientId, secret }: Deployer,
  tenant: Tenant,
  roleAssignments: RoleAssignments,
  subscriptionId: string,
): void {
  tenant.applications.create({ displayName: "deployer", clientId, secret });
  const principal = tenant.servicePrincipals.create({ clientId });
  const graph = tenant.servicePrincipals.byClientId(GRAPH_CLIENT_ID);
  for (const permission of ["Application.ReadWrite.All", "AppRoleAssignment.ReadWrite.All"]) {
    if (graph) tenant.grant(principal, graph, permission);
  }
  // In effect from the start, however long later assignments take.
  const effectIn = 0;
  const scope = `/subscriptions/${subscriptionId}`;
  const { objectId: principalId } = principal;
  roleAssignments.put({ name: randomUUID(), scope, roleId: OWNER, principalId }, effectIn);
}
