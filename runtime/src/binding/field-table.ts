import { choiceRule, type Keys } from "../validation/index.js";
import { cloudEnvironments } from "./cloud-environment.js";
import {
  eventsUrl,
  nameRule,
  namespaceEndpointRule,
  namespaceNameRule,
  portRule,
  publishWithRule,
  receiveLockRule,
  routePathRule,
  scopeRule,
  secretRule,
  serviceUrlRule,
  topicEndpointRule,
  uuidRule,
  webhookUrlRule,
} from "./field-rules.js";
import type { Field } from "./fields.js";
import { AZURE_LIMITS } from "./limits.js";
import type {
  BindingProps,
  InputRuntimeBinding,
  NamespaceTopicRuntimeBinding,
  OutputRuntimeBinding,
  PullRuntimeBinding,
} from "./props.js";
import { formatScope, parseScope, withoutSlashesAtEnd } from "./scope.js";
import { existingSubscriptionNameRule, subscriptionNameRule } from "./subscription-name.js";

type Name = Keys<BindingProps | InputRuntimeBinding | OutputRuntimeBinding>;

/**
 * The fields of a binding. Validation, normal form, environment, component documents and the table of
 * docs/binding.md derive from it; the types of the props have to agree with it.
 */
export const bindingFields = {
  direction: {
    direction: "both",
    description: "whether the binding receives events, publishes them, or both",
    rule: choiceRule("input", "output", "input, output"),
    isSwitch: true,
    documentNames: { earlier: null },
    service: { variable: "DIRECTION" },
  },
  name: {
    direction: "both",
    description: "the default `source` of the events that the service publishes",
    rule: nameRule,
    service: { variable: "NAME", isOption: true },
  },
  cloudEnvironment: {
    direction: "both",
    description: 'the Azure cloud (default `"public"`)',
    rule: choiceRule(...Object.keys(cloudEnvironments)),
    isSwitch: true,
    defaultValue: "public",
    documentNames: { vendor: "azureEnvironment", older: "azureCloud" },
    service: { variable: "CLOUD" },
  },
  cloudAuthorityHost: {
    direction: "both",
    description: "token issuer if it is not the cloud's own, such as a local Azure's",
    rule: serviceUrlRule,
    normalize: (url, isUnresolved) => (isUnresolved ? url : withoutSlashesAtEnd(url)),
    documentNames: {},
    service: { variable: "AUTHORITY_HOST" },
  },
  cloudTenantId: {
    direction: "input",
    description: "tenant of the Event Grid resource",
    rule: uuidRule,
    required: true,
    documentNames: { earlier: "tenantId", vendor: "azureTenantId", older: "spnTenantId" },
    service: { variable: "TENANT_ID", required: true },
  },
  cloudSubscriptionId: {
    direction: "input",
    description: "Azure subscription of the Event Grid resource",
    rule: uuidRule,
    required: true,
    documentNames: { earlier: "subscriptionId", vendor: "azureSubscriptionId" },
  },
  cloudClientId: {
    direction: "input",
    description: "application that deliveries are authenticated with",
    rule: uuidRule,
    required: true,
    documentNames: { earlier: "clientId", vendor: "azureClientId", older: "spnClientId" },
    service: { variable: "CLIENT_ID", required: true },
  },
  cloudClientSecret: {
    direction: "input",
    description: 'secret of that application; required with `writer: "client"`',
    rule: secretRule,
    required: { field: "writer", value: "client" },
    documentNames: {
      earlier: "clientSecret",
      vendor: "azureClientSecret",
      older: "spnClientSecret",
    },
  },
  subscriberEndpoint: {
    direction: "input",
    description: "public URL of the webhook; without a path it gets `/api/events`",
    rule: webhookUrlRule,
    required: true,
    normalize: (url, isUnresolved) => (isUnresolved ? url : eventsUrl(url).href),
    documentNames: {},
    // Instead of `path`, for a binding that does not come from the environment.
    service: {},
  },
  handshakePort: {
    direction: "input",
    description: "port on which the listener receives webhook traffic",
    rule: portRule,
    required: true,
    documentNames: {},
    service: { variable: "HANDSHAKE_PORT", required: true, isDistinctive: true },
  },
  path: {
    direction: "input",
    description: "path that the listener serves",
    rule: routePathRule,
    service: { variable: "WEBHOOK_PATH", required: true, isDistinctive: true, isOption: true },
  },
  eventSubscriptionName: {
    direction: "input",
    description:
      "name of the event subscription; by default that of the component, or of the construct",
    rule: subscriptionNameRule,
    ruleIfExisting: existingSubscriptionNameRule,
    documentNames: {},
    service: { variable: "SUBSCRIPTION_NAME", describesSubscription: true },
  },
  scope: {
    direction: "input",
    description: "resource whose events are received, in `cloudSubscriptionId`",
    rule: scopeRule,
    required: true,
    normalize: (id, isUnresolved) =>
      isUnresolved ? withoutSlashesAtEnd(id) : formatScope(parseScope(id)),
    documentNames: {},
    service: { variable: "SCOPE", describesSubscription: true, isLiteral: true },
  },
  writer: {
    direction: "input",
    description: 'who writes the event subscription (default `"deployer"`)',
    rule: choiceRule("deployer", "client"),
    isSwitch: true,
    defaultValue: "deployer",
  },
  topicEndpoint: {
    direction: "output",
    description: "endpoint of the topic",
    rule: topicEndpointRule,
    required: true,
    documentNames: {},
    service: { variable: "TOPIC_ENDPOINT", required: true, isDistinctive: true },
  },
  accessKey: {
    direction: "output",
    description: 'access key of the topic; not with `publishWith: "entra"`',
    rule: secretRule,
    required: { field: "publishWith", value: "accessKey", otherwise: "unused" },
    documentNames: {},
    service: { variable: "ACCESS_KEY", required: true },
  },
  publishWith: {
    direction: "output",
    description: 'how `create` authenticates (default `"accessKey"`)',
    rule: publishWithRule,
    isSwitch: true,
    defaultValue: "accessKey",
    service: { variable: "PUBLISH_WITH" },
  },
} as const satisfies Readonly<Record<Name, Field>>;

export type BindingField = keyof typeof bindingFields;

const authentication = { rule: publishWithRule, isSwitch: true, defaultValue: "entra" } as const;

/** The fields of pull bindings. Validation and environment derive from it, as for `bindingFields`. */
export const pullFields = {
  ...topicFields("input"),
  eventSubscriptionName: {
    direction: "input",
    description: "name of the event subscription",
    rule: namespaceNameRule,
    required: true,
    service: { variable: "SUBSCRIPTION_NAME", required: true },
  },
  receiveLockSeconds: {
    direction: "input",
    description: "how long a received event is locked (default 60)",
    rule: receiveLockRule,
    defaultValue: AZURE_LIMITS.receiveLockSeconds.min,
    service: { variable: "RECEIVE_LOCK_SECONDS", isLiteral: true },
  },
  receiveWith: {
    ...authentication,
    direction: "input",
    description: 'how the receiver authenticates (default `"entra"`)',
    service: { variable: "RECEIVE_WITH" },
  },
  accessKey: accessKeyWith("receiveWith", "input"),
} as const satisfies Readonly<Record<keyof PullRuntimeBinding, Field>>;

/** The fields of namespace topics that a service publishes to. */
export const namespaceTopicFields = {
  ...topicFields("output"),
  publishWith: {
    ...authentication,
    direction: "output",
    description: 'how `create` authenticates (default `"entra"`)',
    service: { variable: "PUBLISH_WITH" },
  },
  accessKey: accessKeyWith("publishWith", "output"),
} as const satisfies Readonly<Record<keyof NamespaceTopicRuntimeBinding, Field>>;

/** The fields that both have. */
function topicFields<D extends Field["direction"]>(direction: D) {
  return {
    name: { ...bindingFields.name, service: { variable: "NAME" } },
    cloudEnvironment: bindingFields.cloudEnvironment,
    cloudAuthorityHost: bindingFields.cloudAuthorityHost,
    namespaceEndpoint: {
      direction,
      description: "endpoint of the namespace",
      rule: namespaceEndpointRule,
      required: true,
      normalize: bindingFields.cloudAuthorityHost.normalize,
      service: { variable: "NAMESPACE_ENDPOINT", required: true, isDistinctive: true },
    },
    topicName: {
      direction,
      description: "name of the topic in the namespace",
      rule: namespaceNameRule,
      required: true,
      service: { variable: "TOPIC_NAME", required: true },
    },
  } as const;
}

/** The key, which a service needs if its switch says so. */
function accessKeyWith<D extends Field["direction"]>(field: string, direction: D) {
  return {
    direction,
    description: `access key of the namespace or the topic; only with \`${field}: "accessKey"\``,
    rule: secretRule,
    required: { field, value: "accessKey", otherwise: "unused" },
    service: { variable: "ACCESS_KEY", required: true },
  } as const;
}
