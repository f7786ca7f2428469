import type { TerraformProvider } from "cdktf";
import type { CloudEnvironmentName } from "cloud-eventgrid-binding-runtime/binding";
import type { IConstruct } from "constructs";
import type { EventGridIdentityProps } from "./event-grid-principal.js";

/** The application that deliveries are authenticated with: created by the stack, or existing. */
export interface IWebhookApplication extends IConstruct {
  readonly clientId: string;
  /** Object ID of the application's service principal. */
  readonly principalId: string;
  /** Whether this stack creates the application, so that its IDs are unknown at the first plan. */
  readonly provisioned: boolean;
  readonly cloudEnvironment: CloudEnvironmentName;
  /** Application ID of Event Grid itself, which may deliver to the application's webhooks. */
  readonly eventGridApplicationId: string | undefined;
}

/** An assignment of the app role that exists already. */
export type ExistingAppRoleAssignment = "eventGrid" | "client";

/** Props of {@link WebhookApplication.fromClientId}. */
export interface ExistingWebhookApplicationProps extends EventGridIdentityProps {
  /** Client ID of the application. It must be known when Terraform plans. */
  readonly clientId: string;
  /**
   * Whether the application's service principal exists and is looked up, or is created.
   *
   * @default "lookup"
   */
  readonly servicePrincipal?: "lookup" | "provision";
  /**
   * Assignments of the app role that exist already and are managed elsewhere: Entra refuses to
   * create them again, and they cannot be looked up.
   *
   * @default none
   */
  readonly existingAssignments?: readonly ExistingAppRoleAssignment[];
  /** @default the stack's azuread provider */
  readonly azuread?: TerraformProvider;
}
