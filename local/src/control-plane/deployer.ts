import { randomBytes, randomUUID } from "node:crypto";
import { GRAPH_CLIENT_ID, type Tenant } from "../directory/index.js";
import { OWNER, type RoleAssignments } from "../resource-manager/index.js";
import type { DeployerOptions } from "./control-plane-options.js";

/** A well-known secret would make everybody who reaches the cloud its owner. */
export function deployerOf(loopbackOnly: boolean, options: DeployerOptions = {}) {
  const defaultSecret = loopbackOnly
    ? "local-deployer-secret"
    : randomBytes(30).toString("base64url");
  return {
    clientId: options.clientId ?? "33333333-3333-4333-8333-333333333333",
    secret: options.secret ?? defaultSecret,
  };
}

export type Deployer = ReturnType<typeof deployerOf>;

/** Name of the deployer's secret in Graph. Secrets with other names are the user's. */
const SECRET_NAME = "deployer";

/**
 * Creates the deployer: owner of the subscriptions, with the Graph permissions that stacks need. If
 * it was restored from an earlier start, only its secret changes: the earlier one is no longer valid.
 */
export function declareDeployer(
  { clientId, secret }: Deployer,
  tenant: Tenant,
  roleAssignments: RoleAssignments,
  subscriptionIds: readonly string[],
): void {
  const { applications, servicePrincipals } = tenant;
  const application =
    applications.byClientId(clientId) ?? applications.create({ displayName: "deployer", clientId });
  const { passwords } = application;
  for (const { keyId, displayName } of passwords.list()) {
    if (displayName === SECRET_NAME) passwords.remove(keyId);
  }
  passwords.add({ displayName: SECRET_NAME, secret });
  if (servicePrincipals.byClientId(clientId)) return;

  const principal = servicePrincipals.create({ clientId });
  const graph = servicePrincipals.byClientId(GRAPH_CLIENT_ID);
  for (const objects of ["Application", "AppRoleAssignment"]) {
    if (graph) tenant.grant(principal, graph, `${objects}.ReadWrite.All`);
  }
  // In effect from the start, however long later assignments take.
  const effectIn = 0;
  const { objectId: principalId } = principal;
  for (const id of subscriptionIds) {
    const scope = `/subscriptions/${id}`;
    roleAssignments.put({ name: randomUUID(), scope, roleId: OWNER, principalId }, effectIn);
  }
}
