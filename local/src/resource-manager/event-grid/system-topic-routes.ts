import type { Router } from "../../api/index.js";
import { field, invalidRequest, isWithin, sameScope, textAt } from "../../base/index.js";
import { stableUuid } from "../generic/index.js";
import { changed, listedScope, resourceNotFound } from "../resources/index.js";
import { type EventGridResources, SYSTEM_TOPIC_TYPE } from "./event-grid-resources.js";
import type { EventGridState } from "./state.js";
import type { SystemTopic } from "./system-topics.js";

const ROOT = `/subscriptions/:s/resourceGroups/:group/providers/${SYSTEM_TOPIC_TYPE}`;
const PATH = `${ROOT}/:name`;

/**
 * System topics. Deliveries do not depend on them: here the source of a subscription's events is its
 * scope.
 */
export function addSystemTopicRoutes(
  router: Router,
  state: EventGridState,
  resources: EventGridResources,
): void {
  const { authorization, registrations, identities, subscriptionId, systemTopics } = state;
  const idOf = (parameter: (name: string) => string) =>
    `/subscriptions/${subscriptionId}/resourceGroups/${parameter("group")}/providers/${SYSTEM_TOPIC_TYPE}/${parameter("name")}`;
  const find = (id: string) => {
    const topic = systemTopics.get(id);
    if (topic) return topic;
    throw resourceNotFound(id);
  };

  router.on("PUT", PATH, (request, parameter) => {
    const { caller, body } = request;
    const id = idOf(parameter);
    authorization.require(caller, `${SYSTEM_TOPIC_TYPE}/write`, id);
    registrations.requireEventGrid();
    const source = required(body, "source");
    const other = systemTopics.ofSource(source);
    if (other && !sameScope(other.id, id)) {
      throw invalidRequest(
        `Only one system topic is allowed per source. '${source}' has '${other.id}' already.`,
      );
    }
    const name = parameter("name");
    const topic = {
      id,
      name,
      location: textAt(body, "location") ?? "global",
      source,
      topicType: required(body, "topicType"),
      identity: identities.assign({ id, name }, field(body, "identity")),
      tags: field(body, "tags"),
    };
    return changed(request, state, answerOf(systemTopics.put(topic)));
  });

  router.on("PATCH", PATH, (request, parameter) => {
    const { caller, body } = request;
    const topic = find(idOf(parameter));
    authorization.require(caller, `${SYSTEM_TOPIC_TYPE}/write`, topic.id);
    const identity = identities.assign(topic, field(body, "identity") ?? topic.identity);
    const tags = field(body, "tags") ?? topic.tags;
    return changed(request, state, answerOf(systemTopics.put({ ...topic, identity, tags })));
  });

  router.on("GET", PATH, ({ caller }, parameter) => {
    authorization.require(caller, `${SYSTEM_TOPIC_TYPE}/read`, idOf(parameter));
    return { status: 200, body: answerOf(find(idOf(parameter))) };
  });

  for (const root of [ROOT, `/subscriptions/:s/providers/${SYSTEM_TOPIC_TYPE}`]) {
    router.on("GET", root, ({ caller }, parameter) => {
      const scope = listedScope(subscriptionId, parameter);
      authorization.require(caller, `${SYSTEM_TOPIC_TYPE}/read`, scope);
      const listed = systemTopics.list().filter(({ id }) => isWithin(id, scope));
      return { status: 200, body: { value: listed.map(answerOf) } };
    });
  }

  router.on("DELETE", PATH, ({ caller }, parameter) => {
    authorization.require(caller, `${SYSTEM_TOPIC_TYPE}/delete`, idOf(parameter));
    return { status: resources.deleteSystemTopic(idOf(parameter)) ? 202 : 204 };
  });
}

function required(body: unknown, name: string): string {
  const value = textAt(body, "properties", name);
  if (value !== undefined) return value;
  throw invalidRequest(`Property properties.${name} must be given.`);
}

function answerOf(topic: SystemTopic) {
  const { id, name, location, source, topicType, identity, tags } = topic;
  return {
    id,
    name,
    type: SYSTEM_TOPIC_TYPE,
    location,
    ...(identity ? { identity } : {}),
    tags: tags ?? {},
    properties: {
      provisioningState: "Succeeded",
      source,
      topicType,
      metricResourceId: stableUuid(id),
    },
  };
}
