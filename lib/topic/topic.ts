import { DataAzurermEventgridTopic } from "@cdktf/provider-azurerm/lib/data-azurerm-eventgrid-topic/index.js";
import { EventgridTopic } from "@cdktf/provider-azurerm/lib/eventgrid-topic/index.js";
import {
  Fn,
  FOR_EXPRESSION_VALUE,
  forExpression,
  type Precondition,
  type TerraformProvider,
  Token,
} from "cdktf";
import { formatScope, parseScope } from "cloud-eventgrid-binding-runtime/binding";
import { Construct, type IConstruct } from "constructs";
import {
  registerEventGrid,
  resourceIdSegment,
  scopeNamedBy,
  shortHash,
  withTextTokens,
} from "../terraform/index.js";
import {
  type All,
  givenProps,
  isObject,
  preconditionsOf,
  problemsOf,
  providerProblems,
  type ValueRule,
} from "../validation/index.js";
import { type GrantPublishOptions, grantPublishing } from "./grant-publish.js";
import {
  type CloudEventGridTopicProps,
  NO_KEYS,
  topicChecks,
  topicIdentityBlock,
  topicIdentityProblems,
  topicProps,
} from "./topic-props.js";

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

/** Props of {@link CloudEventGridTopic.fromTopicId}. */
export interface ExistingTopicProps {
  /** @default the stack's azurerm provider */
  readonly azurerm?: TerraformProvider;
}

const existingTopicNames: All<ExistingTopicProps> = { azurerm: true };

/** A topic that exists already. It is looked up, keys included, only where its endpoint or key is used. */
class ExistingTopic extends Construct implements ICloudEventGridTopic {
  readonly id: string;
  readonly #azurerm: TerraformProvider | undefined;
  readonly #precondition: Precondition[];
  #found: DataAzurermEventgridTopic | undefined;

  constructor(scope: Construct, id: string, givenId: string, given: ExistingTopicProps = {}) {
    super(scope, id);
    const { props, problems: unreadable } = givenProps(this, given, existingTopicNames);
    const topicId = withTextTokens(givenId);
    const check = { field: "topicId", value: topicId, rule: topicIdRule, required: true };
    const problems = [...unreadable, ...problemsOf(check), ...providerProblems(this, props)];
    this.node.addValidation({ validate: () => problems });
    this.#precondition = preconditionsOf(check);
    this.id = topicIdRule.holds(topicId) ? formatScope(parseScope(topicId)) : String(topicId);
    this.#azurerm = props.azurerm;
  }

  get endpoint(): string {
    return this.#topic.endpoint;
  }

  get accessKey(): string {
    return this.#topic.primaryAccessKey;
  }

  grantPublish(principalId: string, options: GrantPublishOptions = {}): void {
    const topic = { topicId: this.id, azurerm: this.#azurerm, precondition: this.#precondition };
    grantPublishing(this, topic, principalId, options);
  }

  get #topic(): DataAzurermEventgridTopic {
    this.#found ??= new DataAzurermEventgridTopic(this, "topic", {
      resourceGroupName: resourceIdSegment(this.id, 4),
      name: resourceIdSegment(this.id, 8),
      ...(this.#precondition.length > 0 && { lifecycle: { precondition: this.#precondition } }),
      ...(this.#azurerm && { provider: this.#azurerm }),
    });
    return this.#found;
  }
}

const topicIdRule: ValueRule = {
  must:
    "must be the resource ID of a topic " +
    "(/subscriptions/{id}/resourceGroups/{name}/providers/Microsoft.EventGrid/topics/{name})",
  shown: "text",
  holds: (value) => typeof value === "string" && scopeNamedBy(value)?.kind === "topic",
  // What other resources tell has no slashes to take away.
  condition: (later) =>
    Fn.can(
      Fn.regex(
        "^/subscriptions/[^/]+/resourcegroups/[^/]+/providers/microsoft.eventgrid/topics/[^/]+$",
        Fn.lower(later),
      ),
    ),
};
