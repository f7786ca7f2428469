import { invalidRequest, sameScope, textAt } from "../../base/index.js";
import type { EventSubscriptions } from "../../eventgrid/index.js";
import {
  type Resource,
  type Resources,
  type ResourceType,
  shownPlainly,
  stableUuid,
} from "../engine/index.js";
import { trackedFields } from "./field-rules.js";
import { eventGridLists } from "./lists.js";

export const SYSTEM_TOPIC_TYPE = "Microsoft.EventGrid/systemTopics";

/**
 * System topics, each for the events of one source. Deliveries do not depend on them: here the source
 * of a subscription's events is its scope.
 */
export function systemTopicResources({
  eventSubscriptions,
  resources,
}: {
  readonly eventSubscriptions: EventSubscriptions;
  readonly resources: Resources;
}): ResourceType {
  return {
    type: SYSTEM_TOPIC_TYPE,
    ...eventGridLists,
    location: "global",
    onWrite: (written, { before }) => {
      const source = required(written, "source");
      if (before && !sameScope(sourceOf(before), source)) {
        throw invalidRequest(
          `The source of a system topic cannot be changed from '${sourceOf(before)}' to '${source}'. Create another system topic.`,
        );
      }
      const topicType = required(written, "topicType");
      const other = systemTopicOf(resources, source);
      if (other && !sameScope(other.id, written.id)) {
        throw invalidRequest(
          `Only one system topic is allowed per source. '${source}' has '${other.id}' already.`,
        );
      }
      return { ...written, body: { ...written.body, properties: { source, topicType } } };
    },
    onDelete: (topic) => {
      for (const { scope, name } of eventSubscriptions.list(sourceOf(topic))) {
        eventSubscriptions.delete(scope, name);
      }
    },
    fields: trackedFields,
    properties: ({ id }) => ({ metricResourceId: stableUuid(id) }),
    isOperation: true,
    // Only an identity takes time, and no global source has one.
    isComplete: ({ location, body }) => location === "global" || body.identity === undefined,
  };
}

/** The extension topic of a resource names the system topic for the resource's events. */
export function extensionTopicResources(resources: Resources): ResourceType {
  const type = "Microsoft.EventGrid/extensionTopics";
  const own = new RegExp(`^(.*)/providers/${type}/default$`, "i");
  return {
    type,
    scope: "any",
    methods: ["GET"],
    read: {
      get: (id) => {
        const topic = systemTopicOf(resources, own.exec(id)?.[1] ?? "");
        if (!topic) return undefined;
        const properties = { description: "", systemTopic: topic.id };
        return { id, name: "default", type, location: "global", body: { properties } };
      },
    },
    show: shownPlainly,
  };
}

/** The system topics of the subscription. */
export function systemTopics({ store }: Resources): Resource[] {
  return store.list().filter(({ type }) => type === SYSTEM_TOPIC_TYPE);
}

/** The system topic for the events of a source. */
export function systemTopicOf(resources: Resources, source: string): Resource | undefined {
  return systemTopics(resources).find((each) => sameScope(sourceOf(each), source));
}

/** Resource ID of the source of a system topic's events. */
export function sourceOf({ body }: Resource): string {
  return textAt(body, "properties", "source") ?? "";
}

function required({ body }: Resource, name: string): string {
  const value = textAt(body, "properties", name);
  if (value !== undefined) return value;
  throw invalidRequest(`Property properties.${name} must be given.`);
}
