import type { TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import { resourceIdSegment } from "./resource-id.js";
import { grantAzureRole, type PrincipalType } from "./role-assignment.js";
import { type Check, choiceRule, problemOf, uuidRule } from "./value-rule.js";

const typeRule = choiceRule("User", "Group", "ServicePrincipal");

/** Lets an identity publish to a topic with an Entra token. */
export function grantPublishing(
  construct: Construct,
  topicId: string,
  principalId: string,
  principalType: PrincipalType = "ServicePrincipal",
  azurerm?: TerraformProvider,
): void {
  const checks: Check[] = [
    { field: "grantPublish: principalId", value: principalId, rule: uuidRule },
    { field: "grantPublish: principalType", value: principalType, rule: typeRule },
  ];
  const problems = checks.flatMap((check) => problemOf(check) ?? []);
  if (problems.length > 0) construct.node.addValidation({ validate: () => problems });
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
