import * as v from "valibot";
import { fields, flag, integer, optionalFields, port, text } from "../base/index.js";

/** The identity that runs Terraform: owner of the subscription, with Graph permissions. */
export interface DeployerOptions {
  /** @default 33333333-3333-4333-8333-333333333333 */
  readonly clientId?: string | undefined;
  /**
   * Its client secret.
   * @default "local-deployer-secret" if only this machine reaches the cloud, otherwise a random one
   * for each start, which the environment contains
   */
  readonly secret?: string | undefined;
}

/** Options of Resource Manager and Graph. */
export interface ControlPlaneOptions {
  /** HTTPS port on 127.0.0.1. @default 0, a free port */
  readonly httpsPort?: number | undefined;
  /**
   * Directory of the certificate authority, so that a second start uses the same.
   * @default a temporary directory, deleted when the cloud stops
   */
  readonly certificateDirectory?: string | undefined;
  /**
   * Whether the subscription is registered to use `Microsoft.EventGrid`. A new one in Azure is not.
   * @default false
   */
  readonly eventGridRegistered?: boolean | undefined;
  /**
   * Seconds, on the cloud's clock, until a role assignment takes effect; in Azure it takes seconds
   * to minutes.
   * @default 0
   */
  readonly roleAssignmentDelaySeconds?: number | undefined;
  /**
   * Seconds, on the cloud's clock, for which a deleted role assignment or app role assignment
   * conflicts with the same one: in Azure and Entra deletions take a while to spread.
   * @default 0
   */
  readonly assignmentDeletionDelaySeconds?: number | undefined;
  /**
   * Seconds, on the cloud's clock, until a role that is added to an existing application can be
   * assigned: changes take a while to spread in Graph.
   * @default 0
   */
  readonly appRoleDelaySeconds?: number | undefined;
  /**
   * Whether the tenant has Event Grid's own service principal. One that never had a secured webhook
   * may lack it; then an administrator creates it first.
   * @default true
   */
  readonly eventGridPrincipal?: boolean | undefined;
  readonly deployer?: DeployerOptions | undefined;
}

/** Schema of the options that configuration files have too. */
export const controlPlaneSettings = {
  eventGridRegistered: v.optional(flag),
  eventGridPrincipal: v.optional(flag),
  roleAssignmentDelaySeconds: v.optional(integer(0, 86_400)),
  assignmentDeletionDelaySeconds: v.optional(integer(0, 86_400)),
  appRoleDelaySeconds: v.optional(integer(0, 86_400)),
  deployer: v.optional(optionalFields({ clientId: text, secret: text })),
};

export const controlPlaneOptions = fields({
  httpsPort: v.optional(port),
  certificateDirectory: v.optional(text),
  ...controlPlaneSettings,
});
