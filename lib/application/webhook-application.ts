import { ApplicationAppRoleA } from "@cdktf/provider-azuread/lib/application-app-role/index.js";
import { ApplicationPasswordA } from "@cdktf/provider-azuread/lib/application-password/index.js";
import { ApplicationRegistration } from "@cdktf/provider-azuread/lib/application-registration/index.js";
import { ServicePrincipal } from "@cdktf/provider-azuread/lib/service-principal/index.js";
import { type TerraformProvider, Token } from "cdktf";
import {
  type CloudEnvironmentName,
  SECURE_WEBHOOK_ROLE,
} from "cloud-eventgrid-binding-runtime/binding";
import { Construct } from "constructs";
import { uuidOf } from "../terraform/index.js";
import {
  type All,
  type Check,
  earlyProblems,
  givenProps,
  isObject,
  preconditionsOf,
  problemsOf,
  providerProblems,
  received,
  textRule,
  timeRule,
} from "../validation/index.js";
import { ExistingWebhookApplication } from "./application-reference.js";
import {
  EVENT_GRID_APPLICATION_UNKNOWN,
  type EventGridIdentityProps,
  eventGridApplicationId,
  eventGridChecks,
  eventGridProblems,
  eventGridPropNames,
  lookUpEventGridPrincipal,
} from "./event-grid-principal.js";
import type {
  ExistingWebhookApplicationProps,
  IWebhookApplication,
} from "./i-webhook-application.js";
import { appRole, SubscriberRole } from "./subscriber-role.js";

/** How long a client secret lives, and when a new one is made. */
export interface ClientSecretProps {
  /** @default made by Entra */
  readonly displayName?: string;
  /**
   * When the secret expires, in UTC and whole seconds: `2030-01-01T00:00:00Z`.
   *
   * @default two years after it was made, by Entra's rule
   */
  readonly endDate?: string;
  /** A new secret is made whenever one of these values changes: `{ rotation: "2026-01" }`. */
  readonly rotateWhenChanged?: Readonly<Record<string, string>>;
}

/** Props of {@link WebhookApplication}. */
export interface WebhookApplicationProps extends EventGridIdentityProps {
  /** What the application is called in Entra. */
  readonly displayName: string;
  /**
   * Makes a client secret, too. It lies in Terraform's state; nothing needs one unless something
   * outside of this stack signs in as the application.
   *
   * @default no secret
   */
  readonly clientSecret?: boolean | ClientSecretProps;
  /** @default the stack's azuread provider */
  readonly azuread?: TerraformProvider;
}

const propNames: All<WebhookApplicationProps> = {
  ...eventGridPropNames,
  displayName: true,
  clientSecret: {
    displayName: true,
    endDate: true,
    rotateWhenChanged: true,
  } satisfies All<ClientSecretProps>,
};

/**
 * The application that a webhook's deliveries are authenticated with: registration, app role and
 * service principal, and optionally a client secret. Several bindings may use it.
 *
 * The service principal is made after the app role, so that it is born with it.
 */
export class WebhookApplication extends Construct implements IWebhookApplication {
  /**
   * An application that exists already, by its client ID.
   *
   * Its app role and assignments are made once in a stack, however often and wherever it is named,
   * also by the `cloudClientId` of a binding; naming it another way changes nothing in the cloud.
   */
  static fromClientId(
    scope: Construct,
    id: string,
    props: ExistingWebhookApplicationProps,
  ): IWebhookApplication {
    return new ExistingWebhookApplication(scope, id, props);
  }

  readonly clientId: string;
  readonly principalId: string;
  readonly provisioned = true;
  readonly cloudEnvironment: CloudEnvironmentName;
  readonly eventGridApplicationId: string | undefined;
  readonly subscriberRole: SubscriberRole;
  readonly #secret: ApplicationPasswordA | undefined;

  constructor(scope: Construct, id: string, given: WebhookApplicationProps) {
    super(scope, id);
    const { props, problems: unreadable } = givenProps(this, given, propNames);
    const checks = applicationChecks(props);
    const problems = [
      ...unreadable,
      ...earlyProblems({ clientSecret: props.clientSecret }),
      ...checks.flatMap(problemsOf),
      ...secretProblems(props),
      ...eventGridProblems(props),
      ...providerProblems(this, props),
    ];
    this.node.addValidation({ validate: () => problems });
    const precondition = [...checks, ...eventGridChecks(props)].flatMap(preconditionsOf);
    const provider = props.azuread && { provider: props.azuread };
    const registration = new ApplicationRegistration(this, "registration", {
      displayName: props.displayName,
      // Everything else comes after the registration, and with it after all checks.
      ...(precondition.length > 0 && { lifecycle: { precondition } }),
      ...provider,
    });
    const role = new ApplicationAppRoleA(this, "role", {
      applicationId: registration.id,
      roleId: uuidOf(`${this.node.path}/${SECURE_WEBHOOK_ROLE}`),
      ...appRole,
      ...provider,
    });
    const principal = new ServicePrincipal(this, "principal", {
      clientId: registration.clientId,
      dependsOn: [role],
      ...provider,
    });
    this.clientId = registration.clientId;
    this.principalId = principal.objectId;
    this.#secret = this.#makeSecret(registration, props);
    this.subscriberRole = new SubscriberRole(this, "subscriber", {
      roleId: role.roleId,
      principalId: principal.objectId,
      principalKnownAtPlan: false,
      role,
      azuread: props.azuread,
    });
    this.cloudEnvironment = props.cloudEnvironment ?? "public";
    this.eventGridApplicationId = eventGridApplicationId(props);
    if (this.eventGridApplicationId === undefined) {
      if (problems.length === 0) problems.push(EVENT_GRID_APPLICATION_UNKNOWN);
    } else {
      this.subscriberRole.assignToEventGrid(
        lookUpEventGridPrincipal(this, this.eventGridApplicationId, props.azuread).objectId,
      );
    }
    this.subscriberRole.assignToClient();
  }

  /** The client secret, where `clientSecret` asked for one. */
  get clientSecret(): string | undefined {
    return this.#secret?.value;
  }

  #makeSecret(registration: ApplicationRegistration, props: WebhookApplicationProps) {
    if (!props.clientSecret) return undefined;
    const options = props.clientSecret === true ? {} : props.clientSecret;
    return new ApplicationPasswordA(this, "secret", {
      applicationId: registration.id,
      ...options,
      // The old secret stays until whatever takes it from here has the new one.
      lifecycle: { createBeforeDestroy: true },
      ...(props.azuread && { provider: props.azuread }),
    });
  }
}

function applicationChecks({ displayName, clientSecret }: WebhookApplicationProps): Check[] {
  const secret = isObject(clientSecret) ? clientSecret : {};
  return [
    { field: "displayName", value: displayName, rule: textRule, required: true },
    { field: "clientSecret.displayName", value: secret.displayName, rule: textRule },
    { field: "clientSecret.endDate", value: secret.endDate, rule: timeRule },
  ];
}

function secretProblems({ clientSecret: secret }: WebhookApplicationProps): string[] {
  if (secret === undefined || Token.isUnresolved(secret) || typeof secret === "boolean") return [];
  return isObject(secret)
    ? []
    : [`clientSecret must be true, false or an object, but is ${received(secret)}`];
}
