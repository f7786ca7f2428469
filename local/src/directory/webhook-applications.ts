import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { checkOptions, fields, list, oneOf, text } from "../base/index.js";
import type { Application } from "./applications.js";
import type { Directory } from "./directory.js";
import { EVENT_GRID_CLIENT_ID, SECURE_WEBHOOK_ROLE } from "./first-party.js";
import type { ServicePrincipal } from "./service-principals.js";

/** Settings of a new application that protects a webhook. */
export interface NewWebhookApplication {
  /** Name for people; need not be unique. */
  readonly displayName: string;
  /** @default a random UUID */
  readonly clientId?: string | undefined;
  /** A client secret, for services that sign in. @default none */
  readonly secret?: string | undefined;
  /** @default the cloud's */
  readonly tenantId?: string | undefined;
  /** @default none */
  readonly identifierUris?: readonly string[] | undefined;
  /** `2` makes Entra issue v2 tokens for the application. @default v1 tokens, as in Entra */
  readonly requestedAccessTokenVersion?: 1 | 2 | undefined;
  /**
   * App roles of the application, which are assigned to Event Grid.
   * @default the role of a secure webhook
   */
  readonly roles?: readonly string[] | undefined;
}

/** An application with its service principal. */
export interface RegisteredApplication {
  readonly clientId: string;
  /** Object ID of the application. */
  readonly objectId: string;
  readonly tenantId: string;
  readonly application: Application;
  readonly servicePrincipal: ServicePrincipal;
}

/** Schema of the settings, also for configuration files. */
export const applicationSettings = {
  displayName: text,
  clientId: v.optional(text),
  secret: v.optional(text),
  tenantId: v.optional(text),
  identifierUris: v.optional(list(text)),
  requestedAccessTokenVersion: v.optional(oneOf(1, 2)),
  roles: v.optional(list(text)),
};

const newApplication = fields(applicationSettings);

/** Registers applications with service principal, roles and role assignments in one call. */
export class WebhookApplications {
  constructor(
    private readonly directory: Directory,
    private readonly tenantId: string,
  ) {}

  /**
   * @throws ServiceError 400 if the client ID or an identifier URI is taken
   * @throws LocalCloudError `ERR_OPTIONS`
   */
  create(props: NewWebhookApplication): RegisteredApplication {
    checkOptions(newApplication, props, "Invalid options of an application");
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
