/** Whoever runs Terraform: owner of the subscription, with Graph permissions for applications. */
export interface DeployerOptions {
  /** @default 33333333-3333-4333-8333-333333333333 */
  readonly clientId?: string | undefined;
  /** @default "local-deployer-secret" */
  readonly secret?: string | undefined;
}

export interface ControlPlaneOptions {
  /** Port of the HTTPS side on 127.0.0.1. @default 0, a free one */
  readonly httpsPort?: number | undefined;
  /**
   * Where the certificate authority is kept from one start to the next.
   * @default a temporary directory, deleted when the cloud stops
   */
  readonly certificateDirectory?: string | undefined;
  /**
   * Whether the subscription is registered to use `Microsoft.EventGrid` from the start. A fresh
   * subscription is not.
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
   * Seconds, on the cloud's clock, for which a role assignment or app role assignment that was
   * deleted is still in the way of the same one: in Azure and Entra deletions take a while to be
   * known everywhere.
   * @default 0
   */
  readonly assignmentDeletionDelaySeconds?: number | undefined;
  /**
   * Whether Event Grid's own service principal is in the tenant. One that never had a secured
   * webhook may lack it; then an administrator makes it first.
   * @default true
   */
  readonly eventGridPrincipal?: boolean | undefined;
  readonly deployer?: DeployerOptions | undefined;
}
