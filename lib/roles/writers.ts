import { DataAzurermClientConfig } from "@cdktf/provider-azurerm/lib/data-azurerm-client-config/index.js";
import type { RoleAssignment } from "@cdktf/provider-azurerm/lib/role-assignment/index.js";
import type { ITerraformDependable, TerraformProvider } from "cdktf";
import {
  azureRules,
  choiceRule,
  isObject,
  uuidRule,
} from "cloud-eventgrid-binding-runtime/internal";
import type { Construct } from "constructs";
import {
  type ExistingAppRoleAssignment,
  type IWebhookApplication,
  SubscriberRole,
} from "../application/index.js";
import {
  countUnlessAmong,
  defined,
  OncePerStack,
  sameIdentity,
  withAlias,
} from "../terraform/index.js";
import { group, listOf, literal, repeated, required } from "../validation/index.js";
import { grantAzureRole, type PrincipalType } from "./azure-role-assignment.js";

/** A user, group or service principal that may write event subscriptions. */
export interface WriterPrincipal {
  /** Object ID in Entra: a UUID, not the client ID. */
  readonly objectId: string;
  readonly principalType: PrincipalType;
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

/** The writers of event subscriptions, and the assignments that they already have. */
export interface WriterOptions {
  readonly writerPrincipals?: readonly WriterPrincipal[];
  readonly existingAssignments?: readonly ExistingAssignment[];
  readonly azurerm?: TerraformProvider;
}

export const writersCheck = listOf(
  group<WriterPrincipal>({
    objectId: required(uuidRule),
    principalType: required(literal(azureRules.principalType)),
  }),
  {
    whenEmpty: "must not be empty: leave it out for the identity that applies",
    // Azure refuses the second assignment of the same role.
    together: (writers, field) =>
      repeated(
        writers.map((writer) =>
          isObject(writer) ? String(writer.objectId).toLowerCase() : undefined,
        ),
        (i) => `${field}[${i}].objectId`,
      ),
  },
);

export const existingAssignmentsCheck = literal(
  listOf(
    literal(
      choiceRule("eventGrid", "client", "writers", "clientAtScope", "writersAtScope", "deadLetter"),
    ),
  ),
);

/** Assigns the app role to every writer; Event Grid refuses a writer without it. */
export function assignAppRoleToWriters(
  construct: Construct,
  application: IWebhookApplication,
  { writerPrincipals, existingAssignments, azurerm }: WriterOptions,
): ITerraformDependable[] {
  if (existingAssignments?.includes("writers")) return [];
  const subscriberRole = SubscriberRole.of(application);
  if (writerPrincipals === undefined) {
    const { objectId } = callerOf(construct, azurerm);
    return [...subscriberRole.assignToCaller(azurerm?.alias, objectId)];
  }
  return writerPrincipals.flatMap(({ objectId, principalType }) =>
    subscriberRole.assignToWriter(objectId, principalType !== "ServicePrincipal"),
  );
}

const callers = new OncePerStack<DataAzurermClientConfig>("caller");

/** The identity that applies the stack, as its azurerm provider reports it, without a request. */
export function callerOf(
  construct: Construct,
  azurerm: TerraformProvider | undefined,
): DataAzurermClientConfig {
  const id = withAlias("caller", azurerm?.alias);
  return callers.get(
    construct,
    id,
    (home) => new DataAzurermClientConfig(home, id, defined({ provider: azurerm })),
  );
}

/**
 * Lets the application, and the writers that are named, write event subscriptions at every scope of
 * the binding. The identity that merely applies must have that right already: if the stack granted
 * it, the assignment would be replaced whenever another identity applies.
 *
 * @param subscriptionId subscription that the scopes are in
 */
export function grantWriting(
  construct: Construct,
  subscriptionId: string,
  scopes: readonly string[],
  application: IWebhookApplication,
  { writerPrincipals = [], existingAssignments = [], azurerm }: WriterOptions,
): RoleAssignment[] {
  const client = {
    principalId: application.principalId,
    principalType: "ServicePrincipal",
    description: "The webhook's application writes event subscriptions at this scope",
  } as const;
  const writers = writerPrincipals
    .filter(({ objectId }) => !sameIdentity(construct, objectId, client.principalId))
    .map(({ objectId, principalType }) => ({
      principalId: objectId,
      principalType,
      description: "Writes event subscriptions at this scope",
      count:
        principalType === "ServicePrincipal"
          ? countUnlessAmong(construct, [client.principalId], objectId)
          : undefined,
    }));
  const principals = [
    ...(existingAssignments.includes("clientAtScope") ? [] : [client]),
    ...(existingAssignments.includes("writersAtScope") ? [] : writers),
  ];
  const role = "EventGrid EventSubscription Contributor";
  return scopes.flatMap((scope) =>
    principals.map((principal) =>
      grantAzureRole(construct, { ...principal, role, scope, subscriptionId, azurerm }),
    ),
  );
}
