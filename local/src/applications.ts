import { randomUUID } from "node:crypto";
import { checkOptions } from "./check-options.js";
import {
  type Application,
  type Directory,
  EVENT_GRID_CLIENT_ID,
  SECURE_WEBHOOK_ROLE,
  type ServicePrincipal,
} from "./directory/index.js";
import { applicationSettings } from "./setting-shapes.js";
import { object, text } from "./shape.js";

/** An application that protects a webhook, to be registered. */
export interface NewWebhookApplication {
  /** Name for people; several may have the same. */
  readonly displayName: string;
  /** @default a random UUID */
  readonly clientId?: string;
  /** A client secret, for services that fetch tokens themselves. @default none */
  readonly secret?: string;
  /** @default the cloud's */
  readonly tenantId?: string;
  /** @default none */
  readonly identifierUris?: readonly string[];
  /** `2` makes Entra issue v2 tokens for it. @default v1 tokens, as Entra does */
  readonly requestedAccessTokenVersion?: 1 | 2;
  /**
   * App roles that it has, and that Event Grid is given on it.
   * @default the role of a secure webhook
   */
  readonly roles?: readonly string[];
}

/** An application together with what stands for it in its tenant. */
export interface RegisteredApplication {
  readonly clientId: string;
  /** Object ID of the application. */
  readonly objectId: string;
  readonly tenantId: string;
  readonly application: Application;
  readonly servicePrincipal: ServicePrincipal;
}

const newApplication = object({ displayName: text }, applicationSettings);

/** Registers applications the short way: with principal, roles and assignments at once. */
export class WebhookApplications {
  constructor(
    private readonly directory: Directory,
    private readonly tenantId: string,
  ) {}

  /**
   * @throws ServiceError when its client ID or an identifier URI is taken
   * @throws LocalCloudError `ERR_OPTIONS`
   */
  create(props: NewWebhookApplication): RegisteredApplication {
    checkOptions(newApplication, props, "An application cannot be made with these options");
    const { roles = [SECURE_WEBHOOK_ROLE], ...rest } = props;
    const tenant = this.directory.createTenant({ tenantId: props.tenantId ?? this.tenantId });
    const application = tenant.applications.create({
      ...rest,
      appRoles: roles.map((value) => ({
        id: randomUUID(),
        value,
        displayName: value,
        description: "Azure Event Grid Role",
        allowedMemberTypes: ["Application", "User"],
        isEnabled: true,
      })),
    });
    const { clientId, objectId, tenantId } = application;
    const servicePrincipal = tenant.servicePrincipals.create({ clientId });
    const eventGrid = tenant.servicePrincipals.byClientId(EVENT_GRID_CLIENT_ID);
    if (eventGrid) for (const role of roles) tenant.grant(eventGrid, servicePrincipal, role);
    return { clientId, objectId, tenantId, application, servicePrincipal };
  }
}
