import { ApplicationAppRoleA } from "@cdktf/provider-azuread/lib/application-app-role/index.js";
import { ApplicationPasswordA } from "@cdktf/provider-azuread/lib/application-password/index.js";
import { ApplicationRegistration } from "@cdktf/provider-azuread/lib/application-registration/index.js";
import {
  azureRules,
  boolean,
  type Checks,
  type CloudEnvironmentName,
  nonEmptyString,
  SECURE_WEBHOOK_ROLE,
  unchecked,
} from "cloud-eventgrid-binding-runtime/internal";
import { Construct, type IConstruct } from "constructs";
import { defined, uuidOf } from "../terraform/index.js";
import { either, group, report, required, validated } from "../validation/index.js";
import {
  type ExistingWebhookApplicationProps,
  existingApplication,
} from "./existing-application.js";
import {
  createServicePrincipal,
  type EventGridServicePrincipalProps,
  eventGridApplicationId,
  eventGridChecks,
  eventGridProblems,
} from "./service-principals.js";
import { appRole, type IWebhookApplication, SubscriberRole } from "./subscriber-role.js";

/** How long a client secret is valid, and when a new one is created. */
export interface ClientSecretProps {
  /** @default chosen by Entra */
  readonly displayName?: string;
  /**
   * When the secret expires, in UTC and whole seconds: `2030-01-01T00:00:00Z`.
   *
   * @default two years after it was created, as Entra decides
   */
  readonly endDate?: string;
  /** A new secret is created whenever one of these values changes: `{ rotation: "2026-01" }`. */
  readonly rotateWhenChanged?: Readonly<Record<string, string>>;
}

/** Props of {@link WebhookApplication}. */
export interface WebhookApplicationProps extends EventGridServicePrincipalProps {
  /** Name of the application in Entra. */
  readonly displayName: string;
  /**
   * Also creates a client secret, which is then part of Terraform's state. It is needed only if
   * something outside of this stack signs in as the application.
   *
   * @default no secret
   */
  readonly clientSecret?: boolean | ClientSecretProps;
}

/**
 * The application that a webhook's deliveries are authenticated with: registration, app role and
 * service principal, and optionally a client secret. Several bindings may use it.
 *
 * The service principal is created after the app role, so that it has the role from the start.
 */
export class WebhookApplication extends Construct implements IWebhookApplication {
  /**
   * Refers to an application that exists already, by its client ID.
   *
   * A stack creates its app role and assignments once, however often the application is named, also
   * by the `cloudClientId` of a binding. Naming it another way changes nothing in the cloud.
   */
  static fromClientId(
    scope: Construct,
    id: string,
    props: ExistingWebhookApplicationProps,
  ): IWebhookApplication {
    return existingApplication(scope, id, props);
  }

  readonly clientId: string;
  readonly principalId: string;
  readonly cloudEnvironment: CloudEnvironmentName;
  readonly eventGridApplicationId: string | undefined;
  readonly #secret: ApplicationPasswordA | undefined;

  constructor(scope: Construct, id: string, rawProps: WebhookApplicationProps) {
    super(scope, id);
    const { props, problems } = validated(rawProps, applicationChecks(this));
    report(this, () => [...problems, ...eventGridProblems(props)]);
    const provider = props.azuread && { provider: props.azuread };
    const registration = new ApplicationRegistration(this, "registration", {
      displayName: props.displayName,
      ...provider,
    });
    const role = new ApplicationAppRoleA(this, "role", {
      applicationId: registration.id,
      roleId: uuidOf(`${this.node.path}/${SECURE_WEBHOOK_ROLE}`),
      ...appRole,
      ...provider,
    });
    const principal = createServicePrincipal(this, "principal", props.azuread, {
      clientId: registration.clientId,
      dependsOn: [role],
    });
    this.clientId = registration.clientId;
    this.principalId = principal.objectId;
    this.#secret = this.#makeSecret(registration, props);
    this.cloudEnvironment = props.cloudEnvironment ?? "public";
    this.eventGridApplicationId = eventGridApplicationId(props);
    new SubscriberRole(this, {
      roleId: role.roleId,
      principalKnownAtPlan: false,
      role,
      azuread: props.azuread,
    });
  }

  /** The client secret; undefined unless the props ask for one. */
  get clientSecret(): string | undefined {
    return this.#secret?.value;
  }

  #makeSecret(registration: ApplicationRegistration, props: WebhookApplicationProps) {
    if (!props.clientSecret) return undefined;
    const options = props.clientSecret === true ? {} : props.clientSecret;
    return new ApplicationPasswordA(this, "secret", {
      applicationId: registration.id,
      ...options,
      // The old secret stays until all of its users have the new one.
      lifecycle: { createBeforeDestroy: true },
      ...defined({ provider: props.azuread }),
    });
  }
}

function applicationChecks(construct: IConstruct): Checks<WebhookApplicationProps> {
  return {
    ...eventGridChecks(construct),
    displayName: required(nonEmptyString),
    clientSecret: either(
      boolean,
      group<ClientSecretProps>({
        displayName: nonEmptyString,
        endDate: azureRules.time,
        rotateWhenChanged: unchecked,
      }),
    ),
  };
}
