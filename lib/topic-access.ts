import type { Precondition, TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import { preconditionsOf, problemsOf } from "./check.js";
import { resourceIdSegment } from "./resource-id.js";
import { grantAzureRole, type PrincipalType } from "./role-assignment.js";
import { withTextTokens } from "./text-tokens.js";
import { choiceRule, uuidRule } from "./value-rule.js";

/** Who may publish to which topic. */
export interface PublishGrant {
  readonly topicId: string;
  readonly principalId: string;
  /** @default "ServicePrincipal" */
  readonly principalType?: PrincipalType | undefined;
  readonly azurerm: TerraformProvider | undefined;
  /** What has to be true before. */
  readonly precondition: readonly Precondition[];
}

const typeRule = choiceRule("User", "Group", "ServicePrincipal");

/** Lets an identity publish to a topic with an Entra token. */
export function grantPublishing(construct: Construct, grant: PublishGrant): void {
  const { topicId, principalType = "ServicePrincipal", azurerm } = grant;
  const principalId = withTextTokens(grant.principalId);
  const principal = {
    field: "grantPublish: principalId",
    value: principalId,
    rule: uuidRule,
    required: true,
  };
  const problems = [
    ...problemsOf(principal),
    ...problemsOf({
      field: "grantPublish: principalType",
      value: principalType,
      rule: typeRule,
      early: true,
    }),
  ];
  if (problems.length > 0) {
    construct.node.addValidation({ validate: () => problems });
    return;
  }
  const { resource } = grantAzureRole(construct, {
    role: "EventGrid Data Sender",
    scope: topicId,
    subscriptionId: resourceIdSegment(topicId, 2),
    principalId,
    principalType,
    description: "Publishes events to this topic",
    azurerm,
  });
  const precondition = [...grant.precondition, ...preconditionsOf(principal)];
  if (precondition.length > 0) resource.lifecycle = { precondition };
}
