import { field, isObject, textAt } from "../control-plane/json-fields.js";
import type { Router } from "../control-plane/router.js";
import { ServiceError } from "../errors.js";
import { resourceNotFound } from "./resource-errors.js";
import { sameScope } from "./scopes.js";
import type { ResourceManagerState } from "./state.js";
import type { SystemTopic } from "./system-topics.js";

const ACTION = "Microsoft.EventGrid/systemTopics";
const PATH = `/subscriptions/:s/resourceGroups/:group/providers/${ACTION}/:name`;

/**
 * System topics: names for the stream of events of one source. Deliveries do not depend on them
 * here, since a subscription's scope says where its events come from.
 */
export function addSystemTopicRoutes(router: Router, state: ResourceManagerState): void {
  const { authorization, registrations, subscriptionId, systemTopics } = state;
  const idOf = (parameter: (name: string) => string) =>
    `/subscriptions/${subscriptionId}/resourceGroups/${parameter("group")}/providers/${ACTION}/${parameter("name")}`;
  const find = (id: string) => {
    const topic = systemTopics.get(id);
    if (topic) return topic;
    throw resourceNotFound(id);
  };

  router.on("PUT", PATH, ({ caller, body }, parameter) => {
    const id = idOf(parameter);
    authorization.require(caller, `${ACTION}/write`, id);
    registrations.requireEventGrid();
    const source = required(body, "source");
    const other = systemTopics.ofSource(source);
    if (other && !sameScope(other.id, id)) {
      throw new ServiceError(
        400,
        "InvalidRequest",
        `Only one system topic is allowed per source. '${source}' has '${other.id}' already.`,
      );
    }
    const created = systemTopics.get(id) === undefined;
    const topic = {
      id,
      name: parameter("name"),
      location: textAt(body, "location") ?? "global",
      source,
      topicType: required(body, "topicType"),
      identity: field(body, "identity"),
      tags: field(body, "tags"),
    };
    return { status: created ? 201 : 200, body: answerOf(systemTopics.put(topic)) };
  });

  router.on("PATCH", PATH, ({ caller, body }, parameter) => {
    const topic = find(idOf(parameter));
    authorization.require(caller, `${ACTION}/write`, topic.id);
    const identity = field(body, "identity") ?? topic.identity;
    const changed = { ...topic, identity, tags: field(body, "tags") ?? topic.tags };
    return { status: 200, body: answerOf(systemTopics.put(changed)) };
  });

  router.on("GET", PATH, ({ caller }, parameter) => {
    authorization.require(caller, `${ACTION}/read`, idOf(parameter));
    return { status: 200, body: answerOf(find(idOf(parameter))) };
  });

  router.on("DELETE", PATH, ({ caller }, parameter) => {
    authorization.require(caller, `${ACTION}/delete`, idOf(parameter));
    return { status: systemTopics.delete(idOf(parameter)) ? 202 : 204 };
  });
}

function required(body: unknown, name: string): string {
  const value = textAt(body, "properties", name);
  if (value !== undefined) return value;
  throw new ServiceError(400, "InvalidRequest", `Property properties.${name} must be given.`);
}

function answerOf(topic: SystemTopic) {
  const { id, name, location, source, topicType, identity, tags } = topic;
  return {
    id,
    name,
    type: ACTION,
    location,
    ...(isObject(identity) ? { identity } : {}),
    tags: tags ?? {},
    properties: {
      provisioningState: "Succeeded",
      source,
      topicType,
      metricResourceId: id,
    },
  };
}
