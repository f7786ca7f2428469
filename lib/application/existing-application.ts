import { ApplicationAppRoleA } from "@cdktf/provider-azuread/lib/application-app-role/index.js";
import { DataAzureadApplication } from "@cdktf/provider-azuread/lib/data-azuread-application/index.js";
import { DataAzureadServicePrincipal } from "@cdktf/provider-azuread/lib/data-azuread-service-principal/index.js";
import { ServicePrincipal } from "@cdktf/provider-azuread/lib/service-principal/index.js";
import { Token } from "cdktf";
import {
  type CloudEnvironmentName,
  SECURE_WEBHOOK_ROLE,
} from "cloud-eventgrid-binding-runtime/binding";
import { Construct } from "constructs";
import { identityOf } from "../terraform/index.js";
import {
  EVENT_GRID_APPLICATION_UNKNOWN,
  eventGridApplicationId,
  eventGridProblems,
  lookUpEventGridPrincipal,
} from "./event-grid-principal.js";
import type {
  ExistingWebhookApplicationProps,
  IWebhookApplication,
} from "./i-webhook-application.js";
import { appRole, SubscriberRole } from "./subscriber-role.js";

/** Props of {@link ExistingApplication}. */
export interface ExistingApplicationProps extends ExistingWebhookApplicationProps {
  /** ID that the app role gets where the application has none of its value yet. */
  readonly ownRoleId: string;
}

/**
 * The one owner, in a stack, of what an application that exists already is given. The app role is
 * added to it unless it is there: in both cases later plans find nothing to change, because the
 * role's ID that is read back decides.
 */
export class ExistingApplication extends Construct implements IWebhookApplication {
  readonly clientId: string;
  readonly principalId: string;
  readonly provisioned = false;
  /** Whether this stack makes the application's service principal. */
  readonly makesPrincipal: boolean;
  readonly cloudEnvironment: CloudEnvironmentName;
  readonly eventGridApplicationId: string | undefined;
  readonly subscriberRole: SubscriberRole;

  constructor(scope: Construct, id: string, props: ExistingApplicationProps) {
    super(scope, id);
    const { clientId, ownRoleId } = props;
    this.clientId = clientId;
    this.node.addValidation({ validate: () => unknownAtPlan(this, clientId) });
    const provider = props.azuread && { provider: props.azuread };
    const application = new DataAzureadApplication(this, "application", {
      clientId,
      ...provider,
    });
    // As Terraform reads it: what is made of Fn and Op is put together anew wherever it is used,
    // which took a twentieth of all that a binding takes.
    const roleId = `lookup(${application.appRoleIds}, "${SECURE_WEBHOOK_ROLE}", "${ownRoleId}")`;
    const role = new ApplicationAppRoleA(this, "role", {
      applicationId: `/applications/${application.objectId}`,
      roleId: ownRoleId,
      count: Token.asNumber(`\${(${roleId} == "${ownRoleId}") ? 1 : 0}`),
      ...appRole,
      ...provider,
    });
    this.makesPrincipal = props.servicePrincipal === "provision";
    const principal = this.makesPrincipal
      ? new ServicePrincipal(this, "principal", { clientId, dependsOn: [role], ...provider })
      : new DataAzureadServicePrincipal(this, "principal", { clientId, ...provider });
    this.principalId = principal.objectId;
    this.subscriberRole = new SubscriberRole(this, "subscriber", {
      roleId: `\${${roleId}}`,
      principalId: this.principalId,
      principalKnownAtPlan: !this.makesPrincipal,
      role,
      azuread: props.azuread,
    });
    this.cloudEnvironment = props.cloudEnvironment ?? "public";
    this.eventGridApplicationId = eventGridApplicationId(props);
    this.#assign(props);
  }

  #assign(props: ExistingApplicationProps): void {
    const { existingAssignments = [], azuread } = props;
    if (this.eventGridApplicationId === undefined) {
      // An environment that is none is told already.
      if (eventGridProblems(props).length === 0) {
        this.node.addValidation({ validate: () => [EVENT_GRID_APPLICATION_UNKNOWN] });
      }
    } else if (!existingAssignments.includes("eventGrid")) {
      this.subscriberRole.assignToEventGrid(
        lookUpEventGridPrincipal(this, this.eventGridApplicationId, azuread).objectId,
      );
    }
    if (!existingAssignments.includes("client")) this.subscriberRole.assignToClient();
  }
}

/**
 * Whether the app role is there already decides how many roles are made, which Terraform has to know
 * when it plans. Asked at synthesis, because only then a value from another stack shows as known.
 */
function unknownAtPlan(construct: Construct, clientId: string): string[] {
  const made = /\$\{(azuread_application\w*\.[\w-]+)/.exec(identityOf(construct, clientId))?.[1];
  if (made === undefined) return [];
  return [
    "the client ID of an application that exists must be known when Terraform plans, but comes " +
      `from a resource of the same stack (${made}): make the application with WebhookApplication`,
  ];
}
