import type { TerraformProvider } from "cdktf";
import type { CloudEnvironmentName } from "cloud-eventgrid-binding-runtime/binding";
import type { IConstruct } from "constructs";
import type { EventGridIdentityProps } from "./event-grid-principal.js";
import type { SubscriberRole } from "./subscriber-role.js";

/** The application that deliveries are authenticated with: provisioned here, or there already. */
export interface IWebhookApplication extends IConstruct {
  readonly clientId: string;
  /** Object ID of the application's service principal. */
  readonly principalId: string;
  /** Whether this stack makes the application, so that nothing of it is known at the first plan. */
  readonly provisioned: boolean;
  readonly cloudEnvironment: CloudEnvironmentName;
  /** Application ID of Event Grid itself, which may deliver to the application's webhooks. */
  readonly eventGridApplicationId: string | undefined;
  /** The app role that Event Grid and every writer of a subscription must hold. */
  readonly subscriberRole: SubscriberRole;
}

/** An assignment of the app role that somebody made before. */
export type ExistingAppRoleAssignment = "eventGrid" | "client";

/** Props of {@link WebhookApplication.fromClientId}. */
export interface ExistingWebhookApplicationProps extends EventGridIdentityProps {
  /** Client ID of the application. It must be known when Terraform plans. */
  readonly clientId: string;
  /**
   * Whether the application's service principal exists and is looked up, or has to be made.
   *
   * @default "lookup"
   */
  readonly servicePrincipal?: "lookup" | "provision";
  /**
   * Assignments of the app role that exist already and stay somebody else's: Entra refuses to make
   * them again, and nothing can look them up.
   *
   * @default none
   */
  readonly existingAssignments?: readonly ExistingAppRoleAssignment[];
  /** @default the stack's azuread provider */
  readonly azuread?: TerraformProvider;
}
