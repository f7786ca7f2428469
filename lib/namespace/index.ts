export type { NamespaceEnvironmentOptions } from "./environment.js";
export {
  CloudEventGridNamespace,
  type ExistingNamespaceProps,
  type ICloudEventGridNamespace,
} from "./namespace.js";
export type {
  CloudEventGridNamespaceProps,
  NamespaceIdentity,
  NamespaceOfTopics,
} from "./namespace-props.js";
export {
  CloudEventGridNamespaceTopic,
  type NamespaceTopicOptions,
} from "./namespace-topic.js";
export { CloudEventGridPullBinding } from "./pull-binding.js";
export type {
  CloudEventGridPullBindingProps,
  PullDeadLetterProps,
  ReceiverPrincipal,
} from "./pull-props.js";
export type { ExistingSystemTopic, NamespaceTopicSourceProps } from "./source-props.js";
export { NamespaceTopicSource } from "./topic-source.js";
