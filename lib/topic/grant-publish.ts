import type { Precondition, TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import { grantAzureRole, type PrincipalType } from "../roles/index.js";
import { resourceIdSegment, withTextTokens } from "../terraform/index.js";
import {
  type All,
  choiceRule,
  isObject,
  optionProblems,
  preconditionsOf,
  problemsOf,
  uuidRule,
} from "../validation/index.js";

/** How {@link ICloudEventGridTopic.grantPublish} grants. */
export interface GrantPublishOptions {
  /** @default "ServicePrincipal", which a managed identity is, too */
  readonly principalType?: PrincipalType;
}

/** What is published to. */
export interface PublishTarget {
  readonly topicId: string;
  readonly azurerm: TerraformProvider | undefined;
  /** What has to be true before. */
  readonly precondition: readonly Precondition[];
}

const grantOptions: All<GrantPublishOptions> = { principalType: true };
const typeRule = choiceRule("User", "Group", "ServicePrincipal");

/** Lets an identity publish to a topic with an Entra token. */
export function grantPublishing(
  construct: Construct,
  { topicId, azurerm, precondition: ofTopic }: PublishTarget,
  givenId: string,
  options: GrantPublishOptions,
): void {
  const { principalType = "ServicePrincipal" } = isObject(options) ? options : {};
  const principalId = withTextTokens(givenId);
  const principal = { field: "principalId", value: principalId, rule: uuidRule, required: true };
  const type = { field: "principalType", value: principalType, rule: typeRule, early: true };
  const problems = [
    ...optionProblems(options, grantOptions),
    ...[principal, type].flatMap(problemsOf),
  ];
  if (problems.length > 0) {
    const messages = problems.map((problem) => `grantPublish: ${problem}`);
    construct.node.addValidation({ validate: () => messages });
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
  const precondition = [
    ...ofTopic,
    ...preconditionsOf({ ...principal, field: "grantPublish: principalId" }),
  ];
  if (precondition.length > 0) resource.lifecycle = { precondition };
}
