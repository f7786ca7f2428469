import type { Precondition, TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import { grantAzureRole, type PrincipalType, principalTypeRule } from "../roles/index.js";
import { resourceIdSegment, withPrincipals } from "../terraform/index.js";
import { literal, report, required, uuidRule, validated } from "../validation/index.js";

/** Options of {@link ICloudEventGridTopic.grantPublish}. */
export interface GrantPublishOptions {
  /** @default "ServicePrincipal", which includes managed identities */
  readonly principalType?: PrincipalType;
}

/** The topic that may be published to, or the namespace whose topics may be. */
export interface PublishTarget {
  readonly id: string;
  readonly kind: "topic" | "namespace";
  readonly azurerm: TerraformProvider | undefined;
  /** Checks of the target's own values, which come before the grant. */
  readonly preconditions: readonly Precondition[];
}

/** Lets an identity publish with an Entra token. */
export function grantPublishing(
  construct: Construct,
  { id, kind, azurerm, preconditions: ofTarget }: PublishTarget,
  principalId: string,
  options: GrantPublishOptions,
): void {
  const { props, problems, preconditions } = validated(
    withPrincipals(construct, { ...options, principalId }),
    { principalId: required(uuidRule), principalType: literal(principalTypeRule) },
  );
  if (problems.length > 0) {
    report(construct, () =>
      problems.map((problem) => ({ ...problem, message: `grantPublish: ${problem.message}` })),
    );
    return;
  }
  const { resource } = grantAzureRole(construct, {
    role: "EventGrid Data Sender",
    scope: id,
    subscriptionId: resourceIdSegment(id, 2),
    principalId: props.principalId,
    principalType: props.principalType ?? "ServicePrincipal",
    description: `Publishes events to this ${kind}`,
    azurerm,
  });
  const ofGrant = preconditions.map((precondition) => ({
    ...precondition,
    errorMessage: `grantPublish: ${precondition.errorMessage}`,
  }));
  const precondition = [...ofTarget, ...ofGrant];
  if (precondition.length > 0) resource.lifecycle = { precondition };
}
