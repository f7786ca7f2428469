import { invalidRequest } from "../../base/index.js";
import type { MessageResponse } from "../destinations/index.js";
import type { EventSubscription } from "../subscriptions/index.js";
import { notFound, type PublishedEvent, refusalOf, structured } from "./data-plane/index.js";
import type { NamespaceTopic } from "./namespace-topic.js";
import type { Namespaces } from "./namespaces.js";

/**
 * Checks that the namespace topic exists that a subscription sends its events to, if it is one that does.
 *
 * @throws ServiceError if it does not
 */
export function checkTopicExists(
  { settings: { destination } }: EventSubscription,
  namespaces: Namespaces,
): void {
  if (destination?.type !== "NamespaceTopic" || namespaces.topic(destination.resourceId)) return;
  throw invalidRequest(
    `The destination '${destination.resourceId}' was not found. Create the topic of the namespace first.`,
  );
}

/**
 * Publishes an event that an event subscription of another topic sends to the topic of a namespace.
 *
 * @param json the event as a CloudEvent
 * @returns what a publisher would get as the response
 */
export function route(
  topicId: string,
  json: string,
  cloud: {
    readonly namespaces: Namespaces;
    readonly now: number;
    /** May throw a ServiceError to refuse the events. */
    readonly accept: (topic: NamespaceTopic, events: readonly PublishedEvent[]) => void;
  },
): MessageResponse {
  const answer = (status: number, body: object) => ({
    status,
    url: topicId,
    headers: {},
    body: JSON.stringify(body),
  });
  try {
    const topic = cloud.namespaces.topic(topicId);
    if (!topic) throw notFound("Topic", topicId);
    cloud.accept(topic, [structured(json, cloud.now)]);
    return answer(200, {});
  } catch (error) {
    const { status, code, message } = refusalOf(error);
    return answer(status, { error: { code, message } });
  }
}
