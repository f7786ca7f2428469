import { DataAzurermEventgridTopic } from "@cdktf/provider-azurerm/lib/data-azurerm-eventgrid-topic/index.js";
import { EventgridTopic } from "@cdktf/provider-azurerm/lib/eventgrid-topic/index.js";
import type { MonitorMetricAlert } from "@cdktf/provider-azurerm/lib/monitor-metric-alert/index.js";
import type { TerraformProvider } from "cdktf";
import { formatScope, type Problem, problem } from "cloud-eventgrid-binding-runtime/internal";
import { Construct, type IConstruct } from "constructs";
import {
  createAlerts,
  diagnosticSetting,
  type TopicAlertOptions,
  topicAlertChecks,
  topicRules,
} from "../monitoring/index.js";
import {
  defined,
  principalOf,
  protection,
  registerEventGrid,
  requireTerraformVersion,
  resourceIdSegment,
  scopeNamedBy,
  tagged,
} from "../terraform/index.js";
import { defaultName, named, provider, report, required, validated } from "../validation/index.js";
import { type GrantPublishOptions, grantPublishing } from "./grant-publish.js";
import { createPrivateEndpoints } from "./private-endpoints.js";
import {
  allowRules,
  type CloudEventGridTopicProps,
  identityBlock,
  publicAccess,
  resourceIdRule,
  topicChecks,
  warnOfUnusedAddresses,
} from "./topic-props.js";

/** A custom topic of Event Grid: created by the stack, or existing. */
export interface ICloudEventGridTopic extends IConstruct {
  /** Resource ID: the `scope` of a binding that receives the topic's events. */
  readonly id: string;
  /** The `topicEndpoint` of a binding that publishes. */
  readonly endpoint: string;
  /** The `accessKey` of a binding that publishes. */
  readonly accessKey: string;
  /** Lets an identity publish with an Entra token: `publishWith: "entra"`. */
  grantPublish(principalId: string, options?: GrantPublishOptions): void;
}

/** A custom topic that accepts CloudEvents. */
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
  /** The resource itself, for settings that this construct does not offer. */
  readonly resource: EventgridTopic;
  readonly #azurerm: TerraformProvider | undefined;
  readonly #localAuthEnabled: boolean;
  readonly #tags: CloudEventGridTopicProps["tags"];
  #accessKeyUsed = false;

  constructor(scope: Construct, id: string, rawProps: CloudEventGridTopicProps) {
    super(scope, id);
    requireTerraformVersion(this);
    const { props, problems } = validated(rawProps, topicChecks(this));
    report(this, () => [...problems, ...this.#accessKeyProblems()]);
    this.#azurerm = props.azurerm;
    const { localAuthEnabled = false } = props;
    this.#localAuthEnabled = localAuthEnabled !== false;
    registerEventGrid(this, props.providerRegistration, props.azurerm);
    warnOfUnusedAddresses(this, props);
    this.resource = new EventgridTopic(this, "topic", {
      name: props.topicName ?? defaultName(this, "topic"),
      resourceGroupName: props.resourceGroupName,
      location: props.location,
      inputSchema: "CloudEventSchemaV1_0",
      ...protection(props.protect),
      localAuthEnabled,
      ...defined({
        publicNetworkAccessEnabled: publicAccess(props),
        provider: props.azurerm,
      }),
      ...(props.allowedAddresses && {
        inboundIpRule: allowRules(props.allowedAddresses, "ip_mask"),
      }),
      ...(props.identity !== "none" && { identity: identityBlock(props.identity) }),
      ...tagged(props.tags),
    });
    this.id = this.resource.id;
    this.endpoint = this.resource.endpoint;
    this.#tags = props.tags;
    const { privateEndpoints, diagnostics, azurerm } = props;
    createPrivateEndpoints(this, { ...props, resourceId: this.id, azurerm }, privateEndpoints);
    if (diagnostics) diagnosticSetting(this, this.id, "topic", diagnostics, azurerm);
  }

  /**
   * Creates metric alerts for the topic and all of its event subscriptions. An alert names the
   * event subscription that it is about.
   */
  alerts(options: TopicAlertOptions): MonitorMetricAlert[] {
    const { props, problems } = validated(options, topicAlertChecks);
    if (problems.length > 0) {
      report(this, () => named("alerts", problems));
      return [];
    }
    const target = {
      id: "alerts",
      resourceId: this.id,
      metricNamespace: "Microsoft.EventGrid/topics",
      dimensions: { EventSubscriptionName: "*" },
      azurerm: this.#azurerm,
    };
    return createAlerts(this, target, topicRules, { ...defined({ tags: this.#tags }), ...props });
  }

  /**
   * Object ID of the topic's system-assigned identity, for `deadLetter.identity.principalId`;
   * undefined if it has another or none.
   */
  get principalId(): string | undefined {
    const { type } = this.resource.identityInput ?? {};
    return type === "SystemAssigned" ? principalOf(this.resource) : undefined;
  }

  /** The primary access key. Using it is an error unless `localAuthEnabled` is set. */
  get accessKey(): string {
    this.#accessKeyUsed = true;
    return this.resource.primaryAccessKey;
  }

  grantPublish(principalId: string, options: GrantPublishOptions = {}): void {
    const target = { id: this.id, kind: "topic", azurerm: this.#azurerm } as const;
    grantPublishing(this, target, principalId, options);
  }

  #accessKeyProblems(): Problem[] {
    if (this.#localAuthEnabled || !this.#accessKeyUsed) return [];
    const message =
      'is used, but the topic refuses access keys: publish with a token (publishWith: "entra", and ' +
      "topic.grantPublish for the identity of the service), or set localAuthEnabled: true";
    return [problem("accessKey", { "local-auth": message })];
  }
}

/** Props of {@link CloudEventGridTopic.fromTopicId}. */
export interface ExistingTopicProps extends Pick<CloudEventGridTopicProps, "azurerm"> {}

/** An existing topic. It is looked up, including its keys, only if its endpoint or key is used. */
class ExistingTopic extends Construct implements ICloudEventGridTopic {
  readonly id: string;
  readonly #azurerm: TerraformProvider | undefined;
  #data: DataAzurermEventgridTopic | undefined;

  constructor(scope: Construct, id: string, topicId: string, rawProps: ExistingTopicProps = {}) {
    super(scope, id);
    const { props, problems } = validated(
      { ...rawProps, topicId },
      { topicId: required(resourceIdRule("topic")), azurerm: provider("azurerm", this) },
    );
    report(this, () => problems);
    this.#azurerm = props.azurerm;
    const parsed = scopeNamedBy(props.topicId);
    this.id = parsed === undefined ? props.topicId : formatScope(parsed);
  }

  get endpoint(): string {
    return this.#topic.endpoint;
  }

  get accessKey(): string {
    return this.#topic.primaryAccessKey;
  }

  grantPublish(principalId: string, options: GrantPublishOptions = {}): void {
    const target = { id: this.id, kind: "topic", azurerm: this.#azurerm } as const;
    grantPublishing(this, target, principalId, options);
  }

  get #topic(): DataAzurermEventgridTopic {
    this.#data ??= new DataAzurermEventgridTopic(this, "topic", {
      resourceGroupName: resourceIdSegment(this.id, 4),
      name: resourceIdSegment(this.id, 8),
      ...(this.#azurerm && { provider: this.#azurerm }),
    });
    return this.#data;
  }
}
