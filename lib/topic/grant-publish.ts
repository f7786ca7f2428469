import { Annotations, type TerraformProvider, Token } from "cdktf";
import { azureRules, showValue, uuidRule } from "cloud-eventgrid-binding-runtime/internal";
import type { Construct } from "constructs";
import { grantAzureRole, type PrincipalType, warnWithoutRole } from "../roles/index.js";
import { identityOf, originOf, resourceWith, withPrincipals } from "../terraform/index.js";
import { literal, named, report, required, validated } from "../validation/index.js";

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
}

/** Warns at synthesis if the stack creates a topic, but lets nobody publish to it with an Entra token. */
export function warnWithoutPublisher(construct: Construct, topicEndpoint: string): void {
  if (!Token.isUnresolved(topicEndpoint)) return;
  const [, topic] = CREATED_TOPIC.exec(identityOf(construct, topicEndpoint)) ?? [];
  // The role for an existing topic is usually assigned where the topic is created.
  if (topic === undefined) return;
  const warning =
    'publishWith is "entra", but the stack grants nobody the right to publish: call grantPublish of ' +
    "the topic with the identity of the service";
  const needed = {
    role: "EventGrid Data Sender",
    scope: `\${${topic}.id}`,
    stack: originOf(topicEndpoint),
    warning,
  } as const;
  warnWithoutRole(construct, () => needed);
}

const CREATED_TOPIC = /^\$\{(azurerm_eventgrid_topic\.[\w-]+)\.endpoint\}$/;

/**
 * Warns at synthesis of a topic or domain of the stack that does not expect CloudEvents, which azurerm's
 * default does not.
 *
 * @see https://learn.microsoft.com/azure/event-grid/cloud-event-schema
 */
export function warnOfOtherSchema(construct: Construct, topicEndpoint: string): void {
  const topic = resourceWith(construct, topicEndpoint, "endpoint");
  if (topic === undefined || !("inputSchemaInput" in topic)) return;
  const { inputSchemaInput: schema = "EventGridSchema" } = topic;
  if (schema === "CloudEventSchemaV1_0" || Token.isUnresolved(schema)) return;
  Annotations.of(construct).addWarning(
    `topicEndpoint is that of ${topic.node.path}, whose inputSchema is ${showValue(schema)}, so that it ` +
      'refuses the CloudEvents of the publisher: set inputSchema to "CloudEventSchemaV1_0"',
  );
}

/** Lets an identity publish with an Entra token. */
export function grantPublishing(
  construct: Construct,
  { id, kind, azurerm }: PublishTarget,
  principalId: string,
  options: GrantPublishOptions,
): void {
  const { props, problems } = validated(withPrincipals(construct, { ...options, principalId }), {
    principalId: required(uuidRule),
    principalType: literal(azureRules.principalType),
  });
  if (problems.length > 0) {
    report(construct, () => named("grantPublish", problems));
    return;
  }
  grantAzureRole(construct, {
    role: "EventGrid Data Sender",
    scope: id,
    principalId: props.principalId,
    principalType: props.principalType,
    description: `Publishes events to this ${kind}`,
    azurerm,
  });
}
