import { DataAzurermClientConfig } from "@cdktf/provider-azurerm/lib/data-azurerm-client-config/index.js";
import type { ITerraformDependable, TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import type { ExistingAppRoleAssignment, IWebhookApplication } from "../application/index.js";
import { noneOf, OncePerStack, sameIdentity, withAlias } from "../terraform/index.js";
import {
  type AzureRoleAssignment,
  grantAzureRole,
  type PrincipalType,
} from "./azure-role-assignment.js";

/** A user, group or service principal that may write event subscriptions. */
export interface WriterPrincipal {
  /** Object ID in Entra: a UUID, not the client ID. */
  readonly objectId: string;
  readonly type: "user" | "group" | "servicePrincipal";
}

/**
 * An assignment that exists already: the app role of Event Grid (`eventGrid`), of the application
 * itself (`client`) or of the writers (`writers`), the right of the client or the writers to write
 * event subscriptions at the scope (`clientAtScope`, `writersAtScope`), or the right of the
 * identities that dead-letter to write into their containers (`deadLetter`).
 */
export type ExistingAssignment =
  | ExistingAppRoleAssignment
  | "writers"
  | "clientAtScope"
  | "writersAtScope"
  | "deadLetter";

/** Who writes event subscriptions, and what they have been granted before. */
export interface WriterOptions {
  readonly writerPrincipals?: readonly WriterPrincipal[];
  readonly existingAssignments?: readonly ExistingAssignment[];
  readonly azurerm?: TerraformProvider;
}

const principalTypes: Readonly<Record<WriterPrincipal["type"], PrincipalType>> = {
  user: "User",
  group: "Group",
  servicePrincipal: "ServicePrincipal",
};

/** Gives the app role to everyone who writes; Event Grid refuses a writer without it. */
export function assignAppRoleToWriters(
  construct: Construct,
  { subscriberRole }: IWebhookApplication,
  { writerPrincipals, existingAssignments, azurerm }: WriterOptions,
): ITerraformDependable[] {
  if (existingAssignments?.includes("writers")) return [];
  if (writerPrincipals === undefined) {
    const objectId = callerObjectId(construct, azurerm);
    return [...subscriberRole.assignToCaller(azurerm?.alias, objectId)];
  }
  return writerPrincipals.flatMap(({ objectId, type }) =>
    subscriberRole.assignToWriter(objectId, type !== "servicePrincipal"),
  );
}

const callers = new OncePerStack<DataAzurermClientConfig>("caller");

/** Object ID of the identity that applies the stack, as its azurerm provider reports it. */
function callerObjectId(construct: Construct, azurerm: TerraformProvider | undefined): string {
  const id = withAlias("caller", azurerm?.alias);
  return callers.get(construct, id, (home) => {
    return new DataAzurermClientConfig(home, id, azurerm ? { provider: azurerm } : {});
  }).objectId;
}

/**
 * Lets the application, and the writers that are named, write event subscriptions at every scope of
 * the binding. The identity that merely applies must have that right already: granted here, the
 * assignment would be replaced whenever somebody else applies.
 *
 * @param subscriptionId subscription that the scopes are in
 */
export function grantWriting(
  construct: Construct,
  subscriptionId: string,
  scopes: readonly string[],
  application: IWebhookApplication,
  { writerPrincipals = [], existingAssignments = [], azurerm }: WriterOptions,
): AzureRoleAssignment[] {
  return scopes.flatMap((scope) => {
    const grant = {
      role: "EventGrid EventSubscription Contributor",
      scope,
      subscriptionId,
      azurerm,
    } as const;
    const client = existingAssignments.includes("clientAtScope")
      ? []
      : [
          grantAzureRole(construct, {
            ...grant,
            principalId: application.principalId,
            principalType: "ServicePrincipal",
            description: "The webhook's application writes event subscriptions at this scope",
          }),
        ];
    if (existingAssignments.includes("writersAtScope")) return client;
    const others = writerPrincipals.filter(
      ({ objectId }) => !sameIdentity(construct, objectId, application.principalId),
    );
    const writers = others.map(({ objectId, type }) =>
      grantAzureRole(construct, {
        ...grant,
        principalId: objectId,
        principalType: principalTypes[type],
        description: "Writes event subscriptions at this scope",
        count:
          type === "servicePrincipal"
            ? noneOf(construct, [application.principalId], objectId)
            : undefined,
      }),
    );
    return [...client, ...writers];
  });
}
