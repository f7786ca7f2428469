import { EventgridTopic } from "@cdktf/provider-azurerm/lib/eventgrid-topic/index.js";
import {
  FOR_EXPRESSION_VALUE,
  forExpression,
  type IResolvable,
  type TerraformProvider,
  Token,
} from "cdktf";
import { Construct, type IConstruct } from "constructs";
import { type Check, preconditionsOf, problemsOf } from "./check.js";
import { shortHash } from "./deterministic-id.js";
import { ExistingTopic, type ExistingTopicProps } from "./existing-topic.js";
import { topicProps } from "./known-props.js";
import { providerProblems } from "./provider-checks.js";
import { type ProviderRegistration, registerEventGrid } from "./provider-registration.js";
import type { PrincipalType } from "./role-assignment.js";
import { withTextTokens } from "./text-tokens.js";
import { grantPublishing } from "./topic-access.js";
import {
  type TopicIdentity,
  topicIdentityBlock,
  topicIdentityChecks,
  topicIdentityProblems,
} from "./topic-identity.js";
import { unknownProps } from "./unknown-props.js";
import { booleanRule, choiceRule, patternRule, textRule } from "./value-rule.js";

/** A custom topic of Event Grid: made here, or there already. */
export interface ICloudEventGridTopic extends IConstruct {
  /** Resource ID: the `scope` of a binding that receives what the topic gets. */
  readonly id: string;
  /** The `topicEndpoint` of a binding that publishes. */
  readonly endpoint: string;
  /** The `accessKey` of a binding that publishes. */
  readonly accessKey: string;
  /** Lets an identity publish with an Entra token: `publishWith: "entra"`. */
  grantPublish(principalId: string, options?: GrantPublishOptions): void;
}

/** How {@link ICloudEventGridTopic.grantPublish} grants. */
export interface GrantPublishOptions {
  /** @default "ServicePrincipal", which a managed identity is, too */
  readonly principalType?: PrincipalType;
}

/** Props of {@link CloudEventGridTopic}. */
export interface CloudEventGridTopicProps {
  readonly resourceGroupName: string;
  readonly location: string;
  /**
   * 3 to 50 letters, digits and hyphens.
   *
   * @default the construct's id and a short hash of its place in the app
   */
  readonly topicName?: string;
  /**
   * Whether the topic takes access keys. Without them publishers need `publishWith: "entra"` and
   * {@link CloudEventGridTopic.grantPublish}.
   *
   * @default true
   */
  readonly accessKeys?: boolean | IResolvable;
  /**
   * Whether the topic can be reached from the public internet.
   *
   * @default true
   */
  readonly publicNetworkAccess?: boolean | IResolvable;
  /**
   * Address ranges, in CIDR notation, that may publish over the public internet.
   *
   * @default any address
   */
  readonly allowedAddresses?: readonly string[];
  /**
   * Managed identities of the topic, for subscriptions that dead-letter or deliver with one.
   *
   * @default none
   */
  readonly identity?: TopicIdentity;
  /** @default none */
  readonly tags?: Readonly<Record<string, string>>;
  /**
   * How Event Grid is registered in the subscription: by the azurerm provider whenever Terraform
   * runs (`provider`), as a resource of the stack (`resource`), or not at all (`none`).
   *
   * @default "provider"
   */
  readonly providerRegistration?: ProviderRegistration;
  /** @default the stack's azurerm provider */
  readonly azurerm?: TerraformProvider;
}

/** A custom topic that takes CloudEvents. */
export class CloudEventGridTopic extends Construct implements ICloudEventGridTopic {
  /** A topic that exists already, by its resource ID. */
  static fromTopicId(
    scope: Construct,
    id: string,
    topicId: string,
    props?: ExistingTopicProps,
  ): ICloudEventGridTopic {
    return new ExistingTopic(scope, id, topicId, props);
  }

  readonly id: string;
  readonly endpoint: string;
  readonly accessKey: string;
  /**
   * Object ID of the topic's own identity, as `deadLetter.identity.principalId` takes it; undefined
   * where it has none that is system-assigned.
   */
  readonly principalId: string | undefined;
  /** The resource itself, for what this construct does not offer. */
  readonly resource: EventgridTopic;
  readonly #azurerm: TerraformProvider | undefined;

  constructor(scope: Construct, id: string, given: CloudEventGridTopicProps) {
    super(scope, id);
    const props = withTextTokens(given);
    this.#azurerm = props.azurerm;
    const checks = topicChecks(props);
    const problems = [
      ...unknownProps(this, props, topicProps),
      ...checks.flatMap(problemsOf),
      ...problemsOf({
        field: "providerRegistration",
        value: props.providerRegistration,
        rule: modeRule,
        early: true,
      }),
      ...topicIdentityProblems(props.identity),
      ...providerProblems(this, props),
    ];
    this.node.addValidation({ validate: () => problems });
    const precondition = checks.flatMap(preconditionsOf);
    const dependsOn = registerEventGrid(this, props.providerRegistration, props.azurerm);
    this.resource = new EventgridTopic(this, "topic", {
      name: props.topicName ?? defaultName(this),
      resourceGroupName: props.resourceGroupName,
      location: props.location,
      inputSchema: "CloudEventSchemaV1_0",
      ...(dependsOn.length > 0 && { dependsOn }),
      ...(precondition.length > 0 && { lifecycle: { precondition } }),
      ...(props.accessKeys !== undefined && { localAuthEnabled: props.accessKeys }),
      ...(props.publicNetworkAccess !== undefined && {
        publicNetworkAccessEnabled: props.publicNetworkAccess,
      }),
      ...(Array.isArray(props.allowedAddresses) && {
        inboundIpRule: allowRules(props.allowedAddresses),
      }),
      ...(props.identity && { identity: topicIdentityBlock(props.identity) }),
      ...(props.tags && { tags: { ...props.tags } }),
      ...(props.azurerm && { provider: props.azurerm }),
    });
    this.id = this.resource.id;
    this.endpoint = this.resource.endpoint;
    this.accessKey = this.resource.primaryAccessKey;
    const { type } = props.identity ?? {};
    this.principalId = type === "SystemAssigned" ? this.resource.identity.principalId : undefined;
  }

  grantPublish(principalId: string, options: GrantPublishOptions = {}): void {
    const { principalType } = options;
    grantPublishing(this, {
      topicId: this.id,
      principalId,
      principalType,
      azurerm: this.#azurerm,
      // The topic has its own, and comes before.
      precondition: [],
    });
  }
}

function topicChecks(props: CloudEventGridTopicProps): Check[] {
  return [
    { field: "topicName", value: props.topicName, rule: topicNameRule },
    {
      field: "resourceGroupName",
      value: props.resourceGroupName,
      rule: textRule,
      required: true,
    },
    { field: "location", value: props.location, rule: textRule, required: true },
    { field: "accessKeys", value: props.accessKeys, rule: booleanRule },
    { field: "publicNetworkAccess", value: props.publicNetworkAccess, rule: booleanRule },
    { field: "allowedAddresses", value: props.allowedAddresses, rule: addressRule, items: true },
    ...topicIdentityChecks(props.identity),
  ];
}

const modeRule = choiceRule("provider", "resource", "none");
const topicNameRule = patternRule(
  "must be 3 to 50 letters, digits and hyphens",
  "^[-a-zA-Z0-9]{3,50}$",
);
const OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const addressRule = patternRule(
  "must be an IPv4 address range in CIDR notation such as 203.0.113.0/24",
  `^(${OCTET}[.]){3}${OCTET}(/([0-9]|[12][0-9]|3[0-2]))?$`,
);

function allowRules(addresses: readonly string[]) {
  if (!Token.isUnresolved(addresses)) {
    return addresses.map((ipMask) => ({ ipMask, action: "Allow" }));
  }
  return forExpression(addresses, { ip_mask: FOR_EXPRESSION_VALUE, action: "Allow" });
}

function defaultName(topic: Construct): string {
  const readable = topic.node.id.replace(/[^a-zA-Z0-9-]/g, "").slice(0, 41);
  return `${readable}-${shortHash(topic.node.path)}`;
}
