import { Fn, type TerraformProvider, Token } from "cdktf";
import { uuidRule } from "cloud-eventgrid-binding-runtime/internal";
import { Construct, type IConstruct } from "constructs";
import { diagnosticSetting } from "../monitoring/index.js";
import { callerOf } from "../roles/index.js";
import {
  AzapiData,
  AzapiResource,
  azapiProvider,
  EVENT_GRID_API_VERSION,
  operand,
  protection,
  registerEventGrid,
  requireTerraformVersion,
  tagged,
  trimmedId,
} from "../terraform/index.js";
import {
  allowRules,
  createPrivateEndpoints,
  identityBlock,
  publicAccess,
  resourceIdRule,
  warnOfUnusedAddresses,
} from "../topic/index.js";
import { defaultName, provider, report, required, validated } from "../validation/index.js";
import {
  type CloudEventGridNamespaceProps,
  type NamespaceOfTopics,
  namespaceChecks,
} from "./namespace-props.js";
import { CloudEventGridNamespaceTopic, type NamespaceTopicOptions } from "./namespace-topic.js";

/** An Event Grid namespace: created by the stack, or existing. */
export interface ICloudEventGridNamespace extends IConstruct, NamespaceOfTopics {
  /** Adds a topic to the namespace. Its name is also the construct's id, or a hash of a token. */
  addTopic(topicName: string, options?: NamespaceTopicOptions): CloudEventGridNamespaceTopic;
  /** A topic of the namespace that exists already. */
  existingTopic(topicName: string): CloudEventGridNamespaceTopic;
}

const NAMESPACE_TYPE = `Microsoft.EventGrid/namespaces@${EVENT_GRID_API_VERSION}`;
const HOSTNAME = "properties.topicsConfiguration.hostname";

/**
 * An Event Grid namespace, from whose topics services pull CloudEvents.
 *
 * It is written by Microsoft's azapi provider, because azurerm has neither its host name nor its event
 * subscriptions. The provider becomes part of the stack with the first namespace.
 */
export class CloudEventGridNamespace extends Construct implements ICloudEventGridNamespace {
  /** A namespace that exists already, by its resource ID. */
  static fromId(
    scope: Construct,
    id: string,
    namespaceId: string,
    props?: ExistingNamespaceProps,
  ): ICloudEventGridNamespace {
    return new ExistingNamespace(scope, id, namespaceId, props);
  }

  readonly id: string;
  readonly endpoint: string;
  readonly azurerm: TerraformProvider | undefined;
  readonly azapi: TerraformProvider;
  /** The resource itself, for settings that this construct does not offer. */
  readonly resource: AzapiResource;
  readonly tags: CloudEventGridNamespaceProps["tags"];
  readonly #hasPrincipal: boolean;

  constructor(scope: Construct, id: string, rawProps: CloudEventGridNamespaceProps) {
    super(scope, id);
    requireTerraformVersion(this);
    const { props, problems } = validated(rawProps, namespaceChecks(this));
    report(this, () => problems);
    this.#hasPrincipal = props.identity?.type !== "UserAssigned";
    this.azurerm = props.azurerm;
    this.tags = props.tags;
    this.azapi = props.azapi ?? azapiProvider(this, props.azurerm);
    registerEventGrid(this, props.providerRegistration, props.azurerm);
    warnOfUnusedAddresses(this, props);
    const { subscriptionId } = callerOf(this, props.azurerm);
    this.resource = new AzapiResource(this, "namespace", {
      type: NAMESPACE_TYPE,
      name: props.namespaceName ?? defaultName(this, "namespace"),
      parentId: `/subscriptions/${subscriptionId}/resourceGroups/${props.resourceGroupName}`,
      location: props.location,
      ...tagged(props.tags),
      identity: identityBlock(props.identity),
      provider: this.azapi,
      body: {
        sku: { name: "Standard", capacity: props.capacity ?? 1 },
        properties: {
          publicNetworkAccess: networkAccess(publicAccess(props)),
          inboundIpRules: allowRules(props.allowedAddresses ?? [], "ipMask"),
          // Azure accepts no other.
          minimumTlsVersionAllowed: "1.2",
        },
      },
      listKeys: { "properties.inboundIpRules": "ipMask" },
      exports: [HOSTNAME],
      ...protection(props.protect),
    });
    this.id = this.resource.id;
    this.endpoint = `https://${this.resource.output(HOSTNAME)}`;
    const { privateEndpoints, diagnostics, azurerm } = props;
    createPrivateEndpoints(this, { ...props, resourceId: this.id, azurerm }, privateEndpoints);
    if (diagnostics) diagnosticSetting(this, this.id, "namespace", diagnostics, azurerm);
  }

  get principalId(): string | undefined {
    return this.#hasPrincipal ? this.resource.principalId : undefined;
  }

  addTopic(topicName: string, options: NamespaceTopicOptions = {}): CloudEventGridNamespaceTopic {
    return new CloudEventGridNamespaceTopic(this, this, topicName, options);
  }

  existingTopic(topicName: string): CloudEventGridNamespaceTopic {
    return new CloudEventGridNamespaceTopic(this, this, topicName, "existing");
  }
}

function networkAccess(isPublic: CloudEventGridNamespaceProps["publicNetworkAccess"]): unknown {
  if (Token.isUnresolved(isPublic)) return Fn.conditional(operand(isPublic), "Enabled", "Disabled");
  return isPublic === false ? "Disabled" : "Enabled";
}

/** Props of {@link CloudEventGridNamespace.fromId}. */
export interface ExistingNamespaceProps
  extends Pick<CloudEventGridNamespaceProps, "azurerm" | "azapi"> {
  /**
   * Object ID of the namespace's system-assigned identity, with which its event subscriptions
   * dead-letter.
   *
   * @default none
   */
  readonly principalId?: string;
}

/** An existing namespace. It is looked up only if its endpoint is used. */
class ExistingNamespace extends Construct implements ICloudEventGridNamespace {
  readonly id: string;
  readonly principalId: string | undefined;
  readonly azurerm: TerraformProvider | undefined;
  readonly azapi: TerraformProvider;
  /** None, because its tags are not known. */
  readonly tags = undefined;
  #data: AzapiData | undefined;

  constructor(
    scope: Construct,
    id: string,
    namespaceId: string,
    rawProps: ExistingNamespaceProps = {},
  ) {
    super(scope, id);
    requireTerraformVersion(this);
    const { props, problems } = validated(
      { ...rawProps, namespaceId },
      {
        namespaceId: required(resourceIdRule("namespace")),
        principalId: uuidRule,
        azurerm: provider("azurerm", this),
        azapi: provider("azapi", this),
      },
    );
    report(this, () => problems);
    this.id = Token.isUnresolved(namespaceId) ? namespaceId : `/${trimmedId(namespaceId)}`;
    this.principalId = props.principalId;
    this.azurerm = props.azurerm;
    this.azapi = props.azapi ?? azapiProvider(this, props.azurerm);
  }

  get endpoint(): string {
    this.#data ??= new AzapiData(this, "namespace", {
      type: NAMESPACE_TYPE,
      resourceId: this.id,
      exports: [HOSTNAME],
      provider: this.azapi,
    });
    return `https://${this.#data.getStringAttribute(`output.${HOSTNAME}`)}`;
  }

  addTopic(topicName: string, options: NamespaceTopicOptions = {}): CloudEventGridNamespaceTopic {
    return new CloudEventGridNamespaceTopic(this, this, topicName, options);
  }

  existingTopic(topicName: string): CloudEventGridNamespaceTopic {
    return new CloudEventGridNamespaceTopic(this, this, topicName, "existing");
  }
}
