import { Fn, type TerraformProvider, Token } from "cdktf";
import type { Construct } from "constructs";
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

/** One segment of a resource ID: 2 is its subscription, 4 its resource group, 8 its name. */
export function resourceIdSegment(resourceId: string, index: number): string {
  if (Token.isUnresolved(resourceId)) {
    return Token.asString(Fn.element(Fn.split("/", resourceId), index));
  }
  return resourceId.split("/")[index] ?? "";
}
