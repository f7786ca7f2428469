import {
  AZURE_LIMITS,
  cloudEnvironments,
  eventsUrl,
  type ServiceBinding,
  type ServiceNamespaceTopic,
} from "../binding/index.js";
import { groupsOf } from "../text.js";
import { namespaceService, type Service } from "../transport/index.js";
import { isObject } from "../validation/index.js";

/** The topic that events are published to. */
export interface Topic extends Service {
  /** Its own name, or its host name. */
  readonly name: string;
  /** Topics of namespaces refuse events without data. */
  readonly needsData: boolean;
  /** The bytes that it accepts in an event and in a request. */
  readonly eventBytes: number;
  readonly requestBytes: number;
}

/** Reports whether a binding is a topic of a namespace. */
export function isNamespaceTopic(binding: unknown): boolean {
  return isObject(binding) && "namespaceEndpoint" in binding && !("topicEndpoint" in binding);
}

export function topicOf(binding: ServiceBinding<"output"> | ServiceNamespaceTopic): Topic {
  if (!("topicEndpoint" in binding)) {
    const service = namespaceService(binding, {
      authenticatesWith: binding.publishWith,
      path: ":publish",
      role: "EventGrid Data Sender on the namespace",
      fields: "namespaceEndpoint and topicName",
    });
    return {
      ...service,
      needsData: true,
      name: binding.topicName,
      // A request is an array: an event is surrounded by two brackets.
      eventBytes: AZURE_LIMITS.namespaceRequestBytes - 2,
      requestBytes: AZURE_LIMITS.namespaceRequestBytes,
    };
  }
  const endpoint = eventsUrl(binding.topicEndpoint);
  const byKey = binding.publishWith === "accessKey";
  const needsRole = "Check that the identity has the role EventGrid Data Sender on the topic";
  return {
    endpoint,
    apiVersion: "2018-01-01",
    accessKey: binding.accessKey,
    scope: cloudEnvironments[binding.cloudEnvironment].publishScope,
    // https://learn.microsoft.com/azure/event-grid/authenticate-with-access-keys-shared-access-signatures
    secretHeaders: {
      accessKey: { name: "aeg-sas-key", prefix: "" },
      sasToken: { name: "aeg-sas-token", prefix: "" },
    },
    advice: {
      401: byKey
        ? "Check that the access key or SAS token belongs to this topic and is valid, and that the topic accepts keys."
        : `${needsRole}, and that the credential's tenant is the topic's.`,
      403: byKey
        ? "Check the topic's firewall, and whether it accepts access keys."
        : `${needsRole}, and the topic's firewall.`,
      404: "Check host and path of topicEndpoint.",
    },
    needsData: false,
    name: topicNameIn(endpoint),
    eventBytes: AZURE_LIMITS.eventBytes,
    requestBytes: AZURE_LIMITS.requestBytes,
  };
}

/** Name and region in the host of a topic, or in the path of a local one. */
const nameAndRegion = /^([a-z0-9-]*)\.[a-z0-9]*-\d/i;

/** The name of a topic or domain; its host if that contains none. */
function topicNameIn({ hostname, pathname }: URL): string {
  const [inHost] = groupsOf(nameAndRegion, hostname);
  const [inPath] = groupsOf(nameAndRegion, pathname.slice(1));
  return inHost || inPath || hostname;
}
