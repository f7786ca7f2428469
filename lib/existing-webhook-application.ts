import { ApplicationAppRoleA } from "@cdktf/provider-azuread/lib/application-app-role/index.js";
import { DataAzureadApplication } from "@cdktf/provider-azuread/lib/data-azuread-application/index.js";
import { DataAzureadServicePrincipal } from "@cdktf/provider-azuread/lib/data-azuread-service-principal/index.js";
import { ServicePrincipal } from "@cdktf/provider-azuread/lib/service-principal/index.js";
import { conditional, Fn, Op, type TerraformProvider, Token } from "cdktf";
import {
  type CloudEnvironmentName,
  SECURE_WEBHOOK_ROLE,
} from "cloud-eventgrid-binding-runtime/binding";
import { Construct } from "constructs";
import { appRole } from "./app-role.js";
import { identityOf, uuidOf } from "./deterministic-id.js";
import {
  EVENT_GRID_APPLICATION_UNKNOWN,
  type EventGridIdentityProps,
  eventGridApplicationId,
  lookUpEventGridPrincipal,
} from "./event-grid-principal.js";
import type { IWebhookApplication } from "./i-webhook-application.js";
import { SubscriberRole } from "./subscriber-role.js";
import { type Check, choiceRule, problemOf, uuidRule } from "./value-rule.js";

/** Tells the construct from others, also where the library is installed twice. */
const MARK = Symbol.for("cloud-eventgrid-binding/ExistingWebhookApplication");

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

/**
 * An application that exists already. The app role is added to it unless it is there: in both cases
 * later plans find nothing to change, because the role's ID that is read back decides.
 */
export class ExistingWebhookApplication extends Construct implements IWebhookApplication {
  readonly clientId: string;
  readonly principalId: string;
  readonly provisioned = false;
  /** Whether this stack makes the application's service principal. */
  readonly makesPrincipal: boolean;
  readonly cloudEnvironment: CloudEnvironmentName;
  readonly eventGridApplicationId: string | undefined;
  readonly subscriberRole: SubscriberRole;

  static isExistingWebhookApplication(value: unknown): value is ExistingWebhookApplication {
    return typeof value === "object" && value !== null && MARK in value;
  }

  constructor(scope: Construct, id: string, props: ExistingWebhookApplicationProps) {
    super(scope, id);
    Object.defineProperty(this, MARK, { value: true });
    this.clientId = props.clientId;
    const problems = problemsOf(props);
    this.node.addValidation({
      validate: () => [...problems, ...unknownAtPlan(this, props.clientId)],
    });
    const provider = props.azuread && { provider: props.azuread };
    const application = new DataAzureadApplication(this, "application", {
      clientId: props.clientId,
      ...provider,
    });
    // The path keeps the own ID apart from that of another stack that uses the same application.
    const ownId = uuidOf(`${this.node.path}/${SECURE_WEBHOOK_ROLE}`);
    const roleId = Token.asString(Fn.lookup(application.appRoleIds, SECURE_WEBHOOK_ROLE, ownId));
    const role = new ApplicationAppRoleA(this, "role", {
      applicationId: `/applications/${application.objectId}`,
      roleId: ownId,
      count: Token.asNumber(conditional(Op.eq(roleId, ownId), 1, 0)),
      ...appRole,
      ...provider,
    });
    const provision = props.servicePrincipal === "provision";
    this.makesPrincipal = provision;
    const principal = provision
      ? new ServicePrincipal(this, "principal", {
          clientId: props.clientId,
          dependsOn: [role],
          ...provider,
        })
      : new DataAzureadServicePrincipal(this, "principal", {
          clientId: props.clientId,
          ...provider,
        });
    this.principalId = principal.objectId;
    this.subscriberRole = new SubscriberRole(this, "subscriber", {
      roleId,
      principalId: this.principalId,
      principalKnownAtPlan: !provision,
      dependsOn: [role],
      azuread: props.azuread,
    });
    this.cloudEnvironment = props.cloudEnvironment ?? "public";
    this.eventGridApplicationId = eventGridApplicationId(props);
    this.#assign(props);
  }

  #assign({ existingAssignments = [], azuread }: ExistingWebhookApplicationProps): void {
    if (this.eventGridApplicationId === undefined) {
      this.node.addValidation({ validate: () => [EVENT_GRID_APPLICATION_UNKNOWN] });
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

function problemsOf(props: ExistingWebhookApplicationProps): string[] {
  const { clientId, eventGridApplicationId, servicePrincipal, existingAssignments = [] } = props;
  const checks: Check[] = [
    { field: "clientId", value: clientId, rule: uuidRule },
    { field: "eventGridApplicationId", value: eventGridApplicationId, rule: uuidRule },
    { field: "servicePrincipal", value: servicePrincipal, rule: choiceRule("lookup", "provision") },
    ...existingAssignments.map((value, i) => ({
      field: `existingAssignments[${i}]`,
      value,
      rule: choiceRule("eventGrid", "client"),
    })),
  ];
  return checks.flatMap((check) => problemOf(check) ?? []);
}
