import {
  AZURE_LIMITS,
  namespaceEndpointRule,
  namespaceNameRule,
  publishWithRule,
  receiveLockRule,
  secretRule,
} from "../rules/index.js";
import type { NamespaceTopicRuntimeBinding, PullRuntimeBinding } from "../runtime-binding.js";
import type { Field } from "./field.js";
import { bindingFields } from "./table.js";

const authentication = { rule: publishWithRule, isSwitch: true, defaultValue: "entra" } as const;

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
    ...authentication,
    direction: "input",
    description: 'how the receiver authenticates (default `"entra"`)',
    service: { variable: "RECEIVE_WITH" },
  },
  accessKey: accessKeyWith("receiveWith", "input"),
} as const satisfies Readonly<Record<keyof PullRuntimeBinding, Field>>;

/** The fields of namespace topics that a service publishes to. */
export const namespaceTopicFields = {
  ...topicOf("output"),
  publishWith: {
    ...authentication,
    direction: "output",
    description: 'how `create` authenticates (default `"entra"`)',
    service: { variable: "PUBLISH_WITH" },
  },
  accessKey: accessKeyWith("publishWith", "output"),
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
