import { ApplicationAppRoleA } from "@cdktf/provider-azuread/lib/application-app-role/index.js";
import { DataAzureadApplication } from "@cdktf/provider-azuread/lib/data-azuread-application/index.js";
import { DataAzureadServicePrincipal } from "@cdktf/provider-azuread/lib/data-azuread-service-principal/index.js";
import { Token } from "cdktf";
import type { Problem } from "cloud-eventgrid-binding-runtime/binding";
import {
  type CloudEnvironmentName,
  SECURE_WEBHOOK_ROLE,
} from "cloud-eventgrid-binding-runtime/binding";
import { Construct } from "constructs";
import { delay, identityOf } from "../terraform/index.js";
import { problem, report } from "../validation/index.js";
import { eventGridApplicationId, eventGridProblems } from "./event-grid-principal.js";
import type {
  ExistingWebhookApplicationProps,
  IWebhookApplication,
} from "./i-webhook-application.js";
import { createServicePrincipal } from "./service-principal.js";
import { appRole, SubscriberRole } from "./subscriber-role.js";

/**
 * Until then Graph may refuse an assignment of a role that was added to an existing application
 * ("Permission being assigned was not found on application"), and the provider does not retry.
 */
const ROLE_REPLICATION_SECONDS = 40;

export interface ExistingApplicationProps extends ExistingWebhookApplicationProps {
  /** ID that the app role gets if the application does not have the role yet. */
  readonly ownRoleId: string;
}

/**
 * Owns, once in a stack, the resources that the stack adds to an existing application. It adds the
 * app role unless the application has it: later plans find nothing to change in both cases, because
 * the ID of the role that is read back decides.
 */
export class ExistingApplication extends Construct implements IWebhookApplication {
  readonly clientId: string;
  readonly principalId: string;
  readonly provisioned = false;
  readonly cloudEnvironment: CloudEnvironmentName;
  readonly eventGridApplicationId: string | undefined;

  constructor(scope: Construct, id: string, props: ExistingApplicationProps) {
    super(scope, id);
    const { clientId, ownRoleId } = props;
    this.clientId = clientId;
    report(this, () => unknownAtPlan(this, clientId));
    const provider = props.azuread && { provider: props.azuread };
    const application = new DataAzureadApplication(this, "application", {
      clientId,
      ...provider,
    });
    // Written as Terraform source: an expression made with Fn and Op is built anew wherever it is
    // used, which took 5 % of the time to synthesize a binding.
    const roleId = `lookup(${application.appRoleIds}, "${SECURE_WEBHOOK_ROLE}", "${ownRoleId}")`;
    const count = Token.asNumber(`\${(${roleId} == "${ownRoleId}") ? 1 : 0}`);
    const role = new ApplicationAppRoleA(this, "role", {
      applicationId: `/applications/${application.objectId}`,
      roleId: ownRoleId,
      count,
      ...appRole,
      ...provider,
    });
    const replication = delay(this, "role-replication", {
      seconds: ROLE_REPLICATION_SECONDS,
      triggersReplace: { application: application.objectId },
      count,
      dependsOn: [role],
    });
    const createsPrincipal = props.servicePrincipal === "provision";
    const principal = createsPrincipal
      ? createServicePrincipal(this, "principal", props.azuread, { clientId, dependsOn: [role] })
      : new DataAzureadServicePrincipal(this, "principal", { clientId, ...provider });
    this.principalId = principal.objectId;
    const subscriberRole = new SubscriberRole(this, "subscriber", {
      roleId: `\${${roleId}}`,
      principalId: this.principalId,
      principalKnownAtPlan: !createsPrincipal,
      role,
      replication,
      azuread: props.azuread,
    });
    this.cloudEnvironment = props.cloudEnvironment ?? "public";
    this.eventGridApplicationId = eventGridApplicationId(props);
    subscriberRole.publishAs(this);
    this.#assign(subscriberRole, props);
  }

  #assign(subscriberRole: SubscriberRole, props: ExistingApplicationProps): void {
    const { existingAssignments = [] } = props;
    if (this.eventGridApplicationId === undefined) {
      report(this, () => eventGridProblems(props));
    } else if (!existingAssignments.includes("eventGrid")) {
      subscriberRole.assignToEventGrid(this.eventGridApplicationId);
    }
    if (!existingAssignments.includes("client")) subscriberRole.assignToClient();
  }
}

/**
 * Whether the app role exists decides how many roles are created, which Terraform has to know when it
 * plans. Tested at synthesis, because only then a value from another stack shows as known.
 */
function unknownAtPlan(construct: Construct, clientId: string): Problem[] {
  const made = /\$\{(azuread_application\w*\.[\w-]+)/.exec(identityOf(construct, clientId))?.[1];
  if (made === undefined) return [];
  const message =
    "of an existing application must be known when Terraform plans, but comes from a resource of the " +
    `same stack (${made}): create the application with WebhookApplication`;
  return [problem("clientId", "known-at-plan", message)];
}
