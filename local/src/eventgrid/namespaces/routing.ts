import { invalidRequest, type ResourceStore } from "../../base/index.js";
import type { Directory } from "../../directory/index.js";
import type { Ingress } from "../../network/index.js";
import type { MessageResponse } from "../destinations/index.js";
import type { EventOrigin } from "../events/index.js";
import {
  checkFunctionApp,
  checkWebhookApplication,
  type EventSubscription,
} from "../subscriptions/index.js";
import { notFound, type PublishedEvent, refusalOf, structured } from "./data-plane/index.js";
import type { Namespace } from "./namespace.js";
import type { NamespaceTopic } from "./namespace-topic.js";

/** A topic of a namespace by its resource ID. */
export function namespaceTopicAt(
  namespaces: ResourceStore<Namespace>,
  id: string,
): NamespaceTopic | undefined {
  const [, namespaceId = "", name = ""] = /^(.*)\/topics\/([^/]+)$/i.exec(id) ?? [];
  return namespaces.get(namespaceId)?.topics.get(name);
}

/** Publishes events that event subscriptions of other topics send to the topics of namespaces. */
export class Routing {
  constructor(
    private readonly cloud: {
      readonly directory: Directory;
      readonly ingress: Ingress;
      readonly namespaces: ResourceStore<Namespace>;
      readonly clock: { now(): number };
      readonly acceptance: {
        /** May throw a ServiceError to refuse the events. */
        acceptInNamespace(
          topic: NamespaceTopic,
          events: readonly PublishedEvent[],
          origin: EventOrigin,
        ): void;
      };
    },
  ) {}

  /**
   * Checks that events can be sent where a subscription says.
   *
   * @throws ServiceError if Event Grid cannot get a token for the webhook, or the function app or the
   * namespace topic is unknown
   */
  checkDestination(subscription: EventSubscription): void {
    checkWebhookApplication(subscription, this.cloud.directory);
    checkFunctionApp(subscription, this.cloud.ingress);
    const { destination } = subscription.settings;
    if (destination?.type !== "NamespaceTopic") return;
    if (namespaceTopicAt(this.cloud.namespaces, destination.resourceId)) return;
    throw invalidRequest(
      `The destination '${destination.resourceId}' was not found. Create the topic of the namespace first.`,
    );
  }

  /**
   * @param json the event as a CloudEvent
   * @returns what a publisher would get as the response
   */
  route(topicId: string, json: string): MessageResponse {
    const { namespaces, clock, acceptance } = this.cloud;
    const answer = (status: number, body: object) => ({
      status,
      url: topicId,
      headers: {},
      body: JSON.stringify(body),
    });
    try {
      const topic = namespaceTopicAt(namespaces, topicId);
      if (!topic) throw notFound("Topic", topicId);
      acceptance.acceptInNamespace(topic, [structured(json, clock.now())], "routed");
      return answer(200, {});
    } catch (error) {
      const { status, code, message } = refusalOf(error);
      return answer(status, { error: { code, message } });
    }
  }
}
