import { choiceRule, type Keys } from "../../validation/index.js";
import { cloudEnvironments } from "../cloud-environment.js";
import type { BindingProps } from "../props.js";
import {
  eventsUrl,
  existingSubscriptionNameRule,
  formatScope,
  nameRule,
  parseScope,
  portRule,
  publishWithRule,
  routePathRule,
  scopeRule,
  secretRule,
  serviceUrlRule,
  subscriptionNameRule,
  topicEndpointRule,
  uuidRule,
  webhookUrlRule,
} from "../rules/index.js";
import type { InputRuntimeBinding, OutputRuntimeBinding } from "../runtime-binding.js";
import type { Field } from "./field.js";

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
    documentNames: { vendor: "azureEnvironment" },
    service: { variable: "CLOUD" },
  },
  cloudAuthorityHost: {
    direction: "both",
    description: "token issuer if it is not the cloud's own, such as a local Azure's",
    rule: serviceUrlRule,
    normalize: (url, isUnresolved) => (isUnresolved ? url : url.replace(/\/+$/, "")),
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
      isUnresolved ? id.replace(/\/+$/, "") : formatScope(parseScope(id)),
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
