import { cloudEnvironments, type PublishWith } from "../binding/index.js";
import type { ServiceBinding, ServiceNamespaceTopic } from "../binding/parsing/index.js";
import { AZURE_LIMITS, eventsUrl, isLoopback } from "../binding/rules/index.js";
import {
  NAMESPACE_API_VERSION,
  namespaceHeaders,
  namespaceTopicUrl,
  type SecretHeaders,
  topicHeaders,
} from "../transport/index.js";

/** The topic that events are published to. */
export interface Topic {
  /** With its path; it has no query. */
  readonly endpoint: URL;
  /** Its own name, or its host name. */
  readonly name: string;
  /** Whether it belongs to a namespace. */
  readonly kind: "topic" | "namespaceTopic";
  readonly apiVersion: string;
  readonly publishWith: PublishWith;
  /** Whether it is on this machine. */
  readonly isLoopback: boolean;
  readonly accessKey: string | undefined;
  /** Entra scope of a token that publishes to it. */
  readonly publishScope: string;
  readonly secretHeaders: SecretHeaders;
  /** The bytes that it accepts in an event and in a request. */
  readonly eventBytes: number;
  readonly requestBytes: number;
}

/** Whether a binding is a topic of a namespace. */
export function isNamespaceTopic(binding: object): boolean {
  return "namespaceEndpoint" in binding && !("topicEndpoint" in binding);
}

export function topicOf(binding: ServiceBinding<"output"> | ServiceNamespaceTopic): Topic {
  const { publishWith, accessKey, cloudEnvironment } = binding;
  const { publishScope } = cloudEnvironments[cloudEnvironment];
  const common = { publishWith, accessKey, publishScope };
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
      eventBytes: AZURE_LIMITS.eventBytes,
      requestBytes: AZURE_LIMITS.requestBytes,
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
    // A request is an array: an event is surrounded by two brackets.
    eventBytes: AZURE_LIMITS.namespaceRequestBytes - 2,
    requestBytes: AZURE_LIMITS.namespaceRequestBytes,
  };
}

/** Name and region in the host of a topic, or in the path of a local one. */
const nameAndRegion = /^([a-z0-9-]+)\.[a-z0-9]+-\d+(?:[./]|$)/i;

/** The name of a topic or domain; its host if that contains none. */
function topicNameIn({ hostname, pathname }: URL): string {
  const [, name] = nameAndRegion.exec(hostname) ?? nameAndRegion.exec(pathname.slice(1)) ?? [];
  return name ?? hostname;
}
