import { cloudEnvironments } from "../../binding/index.js";
import type { ServiceBinding, ServiceNamespaceTopic } from "../../binding/parsing/index.js";
import { AZURE_LIMITS, eventsUrl, isLoopback } from "../../binding/rules/index.js";
import {
  NAMESPACE_API_VERSION,
  namespaceHeaders,
  namespaceTopicUrl,
  type SecretHeaders,
  topicHeaders,
} from "../../transport/index.js";
import type { Topic } from "../transport/index.js";

/** A binding that events are published with. */
export type PublishBinding = ServiceBinding<"output"> | ServiceNamespaceTopic;

/** What the service accepts. */
export interface TopicLimits {
  readonly eventBytes: number;
  readonly requestBytes: number;
  readonly requestEvents: number;
}

/** The topic of a binding. */
export interface BindingTopic extends Topic {
  /** Whether the topic is on this machine. */
  readonly isLoopback: boolean;
  readonly accessKey: string | undefined;
  /** Entra scope of a token that publishes to the topic. */
  readonly publishScope: string;
  readonly secretHeaders: SecretHeaders;
}

/** The limits of the service that a topic belongs to. */
export function limitsOf(binding: object): TopicLimits {
  const { eventBytes, requestBytes, requestEvents, namespaceRequestBytes } = AZURE_LIMITS;
  if (!isNamespaceTopic(binding)) return { eventBytes, requestBytes, requestEvents };
  // A request is an array: an event is surrounded by two brackets.
  const event = namespaceRequestBytes - 2;
  return { eventBytes: event, requestBytes: namespaceRequestBytes, requestEvents };
}

/** Whether a binding is a topic of a namespace. */
export function isNamespaceTopic(binding: object): boolean {
  return "namespaceEndpoint" in binding && !("topicEndpoint" in binding);
}

export function topicOf(binding: PublishBinding): BindingTopic {
  const { publishWith, accessKey, cloudEnvironment } = binding;
  const common = {
    publishWith,
    accessKey,
    publishScope: cloudEnvironments[cloudEnvironment].publishScope,
  };
  if ("topicEndpoint" in binding) {
    const endpoint = eventsUrl(binding.topicEndpoint);
    return {
      ...common,
      kind: "topic",
      name: topicNameIn(endpoint),
      endpoint,
      isLoopback: isLoopback(endpoint),
      apiVersion: "2018-01-01",
      secretHeaders: topicHeaders,
    };
  }
  const endpoint = new URL(`${namespaceTopicUrl(binding)}:publish`);
  return {
    ...common,
    kind: "namespaceTopic",
    name: binding.topicName,
    endpoint,
    isLoopback: isLoopback(endpoint),
    apiVersion: NAMESPACE_API_VERSION,
    secretHeaders: namespaceHeaders,
  };
}

/** Name and region in the host of a topic, or in the path of a local one. */
const nameAndRegion = /^([a-z0-9-]+)\.[a-z0-9]+-\d+(?:[./]|$)/i;

/** The name of a topic or domain; its host if that contains none. */
function topicNameIn({ hostname, pathname }: URL): string {
  const [, name] = nameAndRegion.exec(hostname) ?? nameAndRegion.exec(pathname.slice(1)) ?? [];
  return name ?? hostname;
}
