import type { ITerraformDependable, TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import { callerObjectId } from "./caller.js";
import type { IWebhookApplication } from "./i-webhook-application.js";
import type { PrincipalType } from "./role-assignment.js";

/** Somebody who may write event subscriptions. */
export interface WriterPrincipal {
  /** Object ID in Entra: a UUID, not the client ID. */
  readonly objectId: string;
  readonly type: "user" | "group" | "servicePrincipal";
}

/** The type of a writer as role assignments name it. */
export const principalTypes: Readonly<Record<WriterPrincipal["type"], PrincipalType>> = {
  user: "User",
  group: "Group",
  servicePrincipal: "ServicePrincipal",
};

/** Gives the app role to whoever writes; Event Grid refuses a writer without it. */
export function assignAppRoleToWriters(
  construct: Construct,
  application: IWebhookApplication,
  writers: readonly WriterPrincipal[] | undefined,
  azurerm: TerraformProvider | undefined,
): ITerraformDependable[] {
  const { subscriberRole } = application;
  if (writers === undefined) {
    const objectId = callerObjectId(construct, azurerm);
    return [subscriberRole.assignToCaller(azurerm?.alias, objectId)];
  }
  return writers.map(({ objectId }) => subscriberRole.assignToWriter(objectId));
}
