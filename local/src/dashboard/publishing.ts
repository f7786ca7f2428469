import type { NamespaceDetails } from "./namespaces.js";
import type { DomainDetails, TopicDetails } from "./resources.js";

/** A topic, a domain or a topic of a namespace, as the page and the command line publish to it. */
export interface PublishTarget {
  readonly id: string;
  /** For a topic of a namespace `NAMESPACE/TOPIC`. */
  readonly name: string;
  readonly inputSchema: string;
  readonly url: string;
  /** The header with the key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of a domain. */
  readonly domainTopics?: readonly string[];
  /** Whether every event must have `data`. */
  readonly needsData: boolean;
}

export function topicTarget(topic: TopicDetails | DomainDetails): PublishTarget {
  const headers = { "aeg-sas-key": topic.publishKey };
  return { ...topic, url: topic.endpoint, headers, needsData: false };
}

export function namespaceTargets(namespace: NamespaceDetails): PublishTarget[] {
  return namespace.topics.map(({ id, name }) => ({
    id,
    name: `${namespace.name}/${name}`,
    inputSchema: "CloudEventSchemaV1_0",
    url: `${namespace.endpoint}/topics/${name}:publish?api-version=2024-06-01`,
    headers: { authorization: `SharedAccessKey ${namespace.key1}` },
    needsData: true,
  }));
}

/** The fields of an event that a user enters. */
export interface EventFields {
  readonly type: string;
  readonly id?: string | undefined;
  readonly subject?: string | undefined;
  readonly source?: string | undefined;
  readonly data?: unknown;
  /** The topic in a domain. */
  readonly domainTopic?: string | undefined;
}

/**
 * The body of a request that publishes an event in the target's schema.
 *
 * @param sender what stands for a source that the user does not name
 */
export function newEvent(
  { inputSchema, needsData }: PublishTarget,
  { type, id = crypto.randomUUID(), subject, source, data, domainTopic }: EventFields,
  sender: string,
): { readonly id: string; readonly text: string } {
  const time = new Date().toISOString();
  const event =
    inputSchema === "CloudEventSchemaV1_0"
      ? {
          specversion: "1.0",
          id,
          source: source ?? domainTopic ?? sender,
          type,
          subject,
          time,
          data: data ?? (needsData ? {} : undefined),
        }
      : [
          {
            topic: domainTopic,
            id,
            eventType: type,
            subject: subject ?? source ?? sender,
            eventTime: time,
            data: data ?? {},
            dataVersion: "1.0",
          },
        ];
  return { id, text: JSON.stringify(event) };
}

/** The content type of an event, or of an array of events, in a target's schema. */
export function contentTypeOf(
  { inputSchema }: Pick<PublishTarget, "inputSchema">,
  json: string,
): string {
  if (inputSchema !== "CloudEventSchemaV1_0") return "application/json";
  return `application/cloudevents${json.trimStart().startsWith("[") ? "-batch" : ""}+json`;
}
