import type { NamespaceTopicRuntimeBinding, PullRuntimeBinding } from "../namespace-binding.js";
import {
  AZURE_LIMITS,
  namespaceNameRule,
  publishWithRule,
  receiveLockRule,
  secretRule,
  serviceUrlRule,
} from "../rules/index.js";
import type { Field } from "./field.js";
import { bindingFields } from "./table.js";

/** The fields of pull bindings. Validation and environment derive from it, as for `bindingFields`. */
export const pullFields = {
  ...topicOf("input"),
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
    direction: "input",
    description: 'how the receiver authenticates (default `"entra"`)',
    rule: publishWithRule,
    isSwitch: true,
    defaultValue: "entra",
    service: { variable: "RECEIVE_WITH" },
  },
  accessKey: {
    direction: "input",
    description: 'access key of the namespace or the topic; only with `receiveWith: "accessKey"`',
    rule: secretRule,
    required: { field: "receiveWith", value: "accessKey", otherwise: "unused" },
    service: { variable: "ACCESS_KEY", required: true },
  },
} as const satisfies Readonly<Record<keyof PullRuntimeBinding, Field>>;

/** The fields of namespace topics that a service publishes to. */
export const namespaceTopicFields = {
  ...topicOf("output"),
  publishWith: {
    direction: "output",
    description: 'how `create` authenticates (default `"entra"`)',
    rule: publishWithRule,
    isSwitch: true,
    defaultValue: "entra",
    service: { variable: "PUBLISH_WITH" },
  },
  accessKey: {
    direction: "output",
    description: 'access key of the namespace or the topic; only with `publishWith: "accessKey"`',
    rule: secretRule,
    required: { field: "publishWith", value: "accessKey", otherwise: "unused" },
    service: { variable: "ACCESS_KEY", required: true },
  },
} as const satisfies Readonly<Record<keyof NamespaceTopicRuntimeBinding, Field>>;

/** The fields that both have. */
function topicOf<D extends Field["direction"]>(direction: D) {
  return {
    name: { ...bindingFields.name, service: { variable: "NAME" } },
    cloudEnvironment: bindingFields.cloudEnvironment,
    cloudAuthorityHost: bindingFields.cloudAuthorityHost,
    namespaceEndpoint: {
      direction,
      description: "endpoint of the namespace",
      rule: serviceUrlRule,
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
