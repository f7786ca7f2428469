import type { TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import { resourceIdSegment } from "./resource-id.js";
import { grantAzureRole, type PrincipalType } from "./role-assignment.js";

/** Lets an identity publish to a topic with an Entra token. */
export function grantPublishing(
  construct: Construct,
  topicId: string,
  principalId: string,
  principalType: PrincipalType = "ServicePrincipal",
  azurerm?: TerraformProvider,
): void {
  grantAzureRole(construct, {
    role: "EventGrid Data Sender",
    scope: topicId,
    subscriptionId: resourceIdSegment(topicId, 2),
    principalId,
    principalType,
    description: "Publishes events to this topic",
    azurerm,
  });
}
