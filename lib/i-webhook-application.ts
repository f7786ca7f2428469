import type { CloudEnvironmentName } from "cloud-eventgrid-binding-runtime/binding";
import type { IConstruct } from "constructs";
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
