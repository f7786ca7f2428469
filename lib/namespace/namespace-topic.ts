import { Token } from "cdktf";
import {
  AZURE_LIMITS,
  boolean,
  integerRule,
  namespaceNameRule,
  namespaceTopicEnvironment,
} from "cloud-eventgrid-binding-runtime/internal";
import { Construct, type IConstruct } from "constructs";
import {
  type NamespaceEnvironmentOptions,
  namespaceEnvironment,
  type RuntimeEnvironment,
} from "../binding/index.js";
import { warnWithoutRole } from "../roles/index.js";
import {
  AzapiResource,
  EVENT_GRID_API_VERSION,
  identityOf,
  protection,
  shortHash,
  withTextTokens,
} from "../terraform/index.js";
import { type GrantPublishOptions, grantPublishing } from "../topic/index.js";
import { literal, report, required, validated } from "../validation/index.js";
import type { NamespaceOfTopics } from "./namespace-props.js";
import type { NamespaceTopicSourceProps } from "./topic-source.js";
import { NamespaceTopicSource } from "./topic-source.js";

/** Options of a topic that the stack creates. */
export interface NamespaceTopicOptions {
  /**
   * Days for which events wait for a receiver, from 1 to 7.
   *
   * @default 7
   */
  readonly eventRetentionDays?: number;
  /**
   * Whether Terraform refuses plans that would destroy or replace the topic and lose its events
   * (`prevent_destroy`).
   *
   * @default false
   */
  readonly protect?: boolean;
}

/** A topic of a namespace, for CloudEvents: created by the stack, or existing. */
export class CloudEventGridNamespaceTopic extends Construct {
  /** Resource ID. */
  readonly id: string;
  readonly topicName: string;
  /** Days for which events wait for a receiver; undefined for a topic that exists already. */
  readonly eventRetentionDays: number | undefined;
  /** The resource itself; undefined for a topic that exists already. */
  readonly resource: AzapiResource | undefined;
  #publishesWithEntra = false;

  /** Use {@link CloudEventGridNamespace.addTopic} or `existingTopic` instead. */
  constructor(
    scope: Construct,
    readonly namespace: NamespaceOfTopics,
    rawTopicName: string,
    rawOptions: NamespaceTopicOptions | "existing",
  ) {
    const topicName = withTextTokens(rawTopicName);
    super(scope, constructId(scope, topicName));
    const exists = rawOptions === "existing";
    const { min, max } = AZURE_LIMITS.eventRetentionDays;
    const { props, problems } = validated(
      { ...(exists ? {} : rawOptions), topicName },
      {
        topicName: required(namespaceNameRule),
        eventRetentionDays: integerRule(min, max),
        protect: literal(boolean),
      },
    );
    report(this, () => problems);
    this.topicName = topicName;
    if (exists) {
      this.id = `${namespace.id}/topics/${topicName}`;
      return;
    }
    this.eventRetentionDays = props.eventRetentionDays ?? max;
    this.resource = new AzapiResource(this, "topic", {
      type: `Microsoft.EventGrid/namespaces/topics@${EVENT_GRID_API_VERSION}`,
      name: topicName,
      parentId: namespace.id,
      provider: namespace.azapi,
      body: {
        properties: {
          publisherType: "Custom",
          inputSchema: "CloudEventSchemaV1_0",
          eventRetentionInDays: this.eventRetentionDays,
        },
      },
      ...protection(props.protect),
    });
    this.id = this.resource.id;
  }

  #warnWithoutSender(): void {
    // The role for an existing topic is usually assigned where the topic is created.
    if (this.#publishesWithEntra || this.resource === undefined) return;
    this.#publishesWithEntra = true;
    const { id: scope } = this.namespace;
    const warning =
      "runtimeEnvironment has no accessKey, and the stack grants nobody the right to publish: call " +
      "grantPublish with the identity of the service, or pass an accessKey";
    warnWithoutRole(this, () => ({ role: "EventGrid Data Sender", scope, warning }));
  }

  /**
   * Lets an identity publish with an Entra token. It gets the role EventGrid Data Sender at the
   * namespace, so that it may publish to all topics of the namespace.
   */
  grantPublish(principalId: string, options: GrantPublishOptions = {}): void {
    const { id, azurerm } = this.namespace;
    grantPublishing(this, { id, kind: "namespace", azurerm }, principalId, options);
  }

  /**
   * Has the events of an Azure service delivered to this topic, where services receive them without a
   * public endpoint.
   *
   * @param id names the source within the topic
   */
  addSource(id: string, props: NamespaceTopicSourceProps): NamespaceTopicSource {
    return new NamespaceTopicSource(this, id, this.namespace, this.id, props);
  }

  /**
   * The environment that a publisher needs for `namespaceTopicFromEnvironment(prefix)`.
   *
   * @throws {ConfigurationError} if the prefix is not in upper snake case, or an option is invalid
   */
  runtimeEnvironment(
    prefix: string,
    options: NamespaceEnvironmentOptions = {},
  ): RuntimeEnvironment {
    if (options.accessKey === undefined) this.#warnWithoutSender();
    const named = { name: this.topicName, ...options };
    return namespaceEnvironment(this, named, (common, isUnresolved) =>
      namespaceTopicEnvironment(
        {
          ...common,
          namespaceEndpoint: this.namespace.endpoint,
          topicName: this.topicName,
          publishWith: common.accessKey === undefined ? "entra" : "accessKey",
        },
        prefix,
        { isUnresolved },
      ),
    );
  }
}

/** A token has another text whenever the stack has other tokens, and with it the address would change. */
function constructId(scope: IConstruct, topicName: string): string {
  if (!Token.isUnresolved(topicName)) return topicName;
  return `topic-${shortHash(identityOf(scope, topicName))}`;
}
