/** The version of the API of a namespace's topics, for publishing and receiving. */
export const NAMESPACE_API_VERSION = "2024-06-01";

/** URL of a namespace's topic, without an operation. */
export function namespaceTopicUrl({
  namespaceEndpoint,
  topicName,
}: {
  readonly namespaceEndpoint: string;
  readonly topicName: string;
}): string {
  return `${namespaceEndpoint.replace(/\/+$/, "")}/topics/${topicName}`;
}
