import type { ITerraformDependable } from "cdktf";
import type { Construct } from "constructs";
import type { CloudEventGridBindingProps } from "./binding-props.js";
import { callerObjectId } from "./caller.js";
import { sameIdentity } from "./deterministic-id.js";
import type { IWebhookApplication } from "./i-webhook-application.js";
import type { InputBinding } from "./input-half.js";
import { type AzureRoleAssignment, grantAzureRole, type PrincipalType } from "./role-assignment.js";
import { noneOf } from "./same-principal.js";
import type { ScopedSubscription } from "./scoped-subscriptions.js";

/** Somebody who may write event subscriptions. */
export interface WriterPrincipal {
  /** Object ID in Entra: a UUID, not the client ID. */
  readonly objectId: string;
  readonly type: "user" | "group" | "servicePrincipal";
}

const principalTypes: Readonly<Record<WriterPrincipal["type"], PrincipalType>> = {
  user: "User",
  group: "Group",
  servicePrincipal: "ServicePrincipal",
};

/** Gives the app role to whoever writes; Event Grid refuses a writer without it. */
export function assignAppRoleToWriters(
  construct: Construct,
  { subscriberRole }: IWebhookApplication,
  { writerPrincipals, existingAssignments, azurerm }: CloudEventGridBindingProps,
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

/**
 * Lets the application, and the writers that are named, write event subscriptions at every scope of
 * the binding. Whoever merely applies now has to have the right already: given here, it would change
 * hands with every apply by somebody else.
 */
export function grantWriting(
  construct: Construct,
  binding: InputBinding,
  scopes: readonly ScopedSubscription[],
  application: IWebhookApplication,
  { writerPrincipals = [], existingAssignments = [], azurerm }: CloudEventGridBindingProps,
): AzureRoleAssignment[] {
  return scopes.flatMap(({ scope }) => {
    const grant = {
      role: "EventGrid EventSubscription Contributor",
      scope,
      subscriptionId: binding.cloudSubscriptionId,
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
