import { namesIn, parentOf, type ResourceStore } from "../../base/index.js";
import { notFound, refusalOf } from "../data-plane-error.js";
import type { MessageResponse } from "../destinations/index.js";
import type { EventOrigin, ReadEvent } from "../events/index.js";
import { structured } from "./data-plane/index.js";
import type { Namespace, NamespaceTopic } from "./namespace.js";

/** A topic of a namespace by its resource ID. */
export function namespaceTopicAt(
  namespaces: ResourceStore<Namespace>,
  id: string,
): NamespaceTopic | undefined {
  const [, name] = namesIn(id, "Microsoft.EventGrid/namespaces/topics");
  return name === undefined ? undefined : namespaces.get(parentOf(id))?.topics.get(name);
}

/** Publishes events that event subscriptions of other topics send to the topics of namespaces. */
export class Routing {
  constructor(
    private readonly cloud: {
      readonly namespaces: ResourceStore<Namespace>;
      readonly clock: { now(): number };
      readonly acceptance: {
        /** May throw a ServiceError to refuse the events. */
        accept(topic: NamespaceTopic, events: readonly ReadEvent[], origin: EventOrigin): void;
      };
    },
  ) {}

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
      acceptance.accept(topic, [structured(json, clock.now())], "routed");
      return answer(200, {});
    } catch (error) {
      const { status, code, message } = refusalOf(error);
      return answer(status, { error: { code, message } });
    }
  }
}
