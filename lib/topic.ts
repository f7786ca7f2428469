import { EventgridTopic } from "@cdktf/provider-azurerm/lib/eventgrid-topic/index.js";
import {
  FOR_EXPRESSION_VALUE,
  forExpression,
  type IResolvable,
  type TerraformProvider,
  Token,
} from "cdktf";
import { Construct, type IConstruct } from "constructs";
import { preconditionsOf, problemsOf } from "./check.js";
import { shortHash } from "./deterministic-id.js";
import { ExistingTopic, type ExistingTopicProps } from "./existing-topic.js";
import { givenProps } from "./given-props.js";
import { topicProps } from "./known-props.js";
import { providerProblems } from "./provider-checks.js";
import { type ProviderRegistration, registerEventGrid } from "./provider-registration.js";
import type { PrincipalType } from "./role-assignment.js";
import { grantPublishing } from "./topic-access.js";
import { NO_KEYS, topicChecks } from "./topic-checks.js";
import { type TopicIdentity, topicIdentityBlock, topicIdentityProblems } from "./topic-identity.js";
import { isObject } from "./value-rule.js";

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
  /** A resource group that exists, or the `name` of one that the stack makes. */
  readonly resourceGroupName: string;
  /** Azure region, such as `westeurope`. */
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
  /**
   * Object ID of the topic's own identity, as `deadLetter.identity.principalId` takes it; undefined
   * where it has none that is system-assigned.
   */
  readonly principalId: string | undefined;
  /** The resource itself, for what this construct does not offer. */
  readonly resource: EventgridTopic;
  readonly #azurerm: TerraformProvider | undefined;
  readonly #problems: string[];
  readonly #takesKeys: boolean;

  constructor(scope: Construct, id: string, given: CloudEventGridTopicProps) {
    super(scope, id);
    const { props, problems } = givenProps(this, given, topicProps);
    this.#azurerm = props.azurerm;
    const checks = topicChecks(props);
    this.#takesKeys = props.accessKeys !== false;
    this.#problems = [
      ...problems,
      ...checks.flatMap(problemsOf),
      ...topicIdentityProblems(props.identity),
      ...providerProblems(this, props),
    ];
    this.node.addValidation({ validate: () => this.#problems });
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
      ...(isObject(props.identity) && { identity: topicIdentityBlock(props.identity) }),
      // A map that is known only later may be one token.
      ...(props.tags && { tags: isObject(props.tags) ? { ...props.tags } : props.tags }),
      ...(props.azurerm && { provider: props.azurerm }),
    });
    this.id = this.resource.id;
    this.endpoint = this.resource.endpoint;
    const { type } = props.identity ?? {};
    this.principalId = type === "SystemAssigned" ? this.resource.identity.principalId : undefined;
  }

  /** The primary access key; a topic without access keys has none to use, which synthesis says. */
  get accessKey(): string {
    if (!this.#takesKeys && !this.#problems.includes(NO_KEYS)) this.#problems.push(NO_KEYS);
    return this.resource.primaryAccessKey;
  }

  grantPublish(principalId: string, options: GrantPublishOptions = {}): void {
    // The topic has preconditions of its own, and comes before.
    const topic = { topicId: this.id, azurerm: this.#azurerm, precondition: [] };
    grantPublishing(this, topic, principalId, options);
  }
}

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
