import type { Router } from "../../api/index.js";
import { field, isWithin, objectAt, textAt } from "../../base/index.js";
import { mappingIn, type Topic, topicKeyName } from "../../eventgrid/index.js";
import { topicEndpointAt } from "../../network/index.js";
import { stableUuid } from "../generic/index.js";
import { changed, listedScope, locationIn, resourceNotFound } from "../resources/index.js";
import { DOMAIN_TYPE, type EventGridResources, TOPIC_TYPE } from "./event-grid-resources.js";
import type { EventGridState } from "./state.js";

/** Custom topics and domains, with their keys. */
export function addTopicRoutes(
  router: Router,
  state: EventGridState,
  resources: EventGridResources,
): void {
  addRoutes(router, state, resources, TOPIC_TYPE);
  addRoutes(router, state, resources, DOMAIN_TYPE);
}

function addRoutes(
  router: Router,
  state: EventGridState,
  resources: EventGridResources,
  type: typeof TOPIC_TYPE | typeof DOMAIN_TYPE,
): void {
  const { authorization, registrations, identities, subscriptionId } = state;
  const topics = type === TOPIC_TYPE ? state.topics : state.domains;
  const root = `/subscriptions/:s/resourceGroups/:group/providers/${type}`;
  const idOf = (parameter: (name: string) => string) =>
    `/subscriptions/${subscriptionId}/resourceGroups/${parameter("group")}/providers/${type}/${parameter("name")}`;
  const find = (id: string) => {
    const topic = topics.get(id);
    if (topic) return topic;
    throw resourceNotFound(id);
  };
  /** Applies a PUT or PATCH to a topic. */
  const change = (topic: Topic, body: unknown, before: Topic["attributes"]): Topic => {
    const properties = { ...objectAt(before, "properties"), ...objectAt(body, "properties") };
    const identity = identities.assign(topic, field(body, "identity") ?? before.identity);
    const tags = field(body, "tags") ?? before.tags;
    return topics.update(topic.id, {
      localAuthEnabled: properties.disableLocalAuth !== true,
      attributes: { properties, identity, tags },
    });
  };

  router.on("PUT", `${root}/:name`, (request, parameter) => {
    const id = idOf(parameter);
    authorization.require(request.caller, `${type}/write`, id);
    registrations.requireEventGrid();
    const location = locationIn(request.body);
    const topic =
      topics.get(id) ??
      topics.create({
        name: parameter("name"),
        resourceGroupName: parameter("group"),
        location: location.toLowerCase().replaceAll(" ", ""),
        inputSchema: inputSchemaIn(request.body),
        inputSchemaMapping: mappingIn(field(request.body, "properties", "inputSchemaMapping")),
      });
    return changed(request, state, answerOf(change(topic, request.body, {}), request.origin));
  });

  router.on("PATCH", `${root}/:name`, (request, parameter) => {
    const topic = find(idOf(parameter));
    authorization.require(request.caller, `${type}/write`, topic.id);
    return changed(
      request,
      state,
      answerOf(change(topic, request.body, topic.attributes), request.origin),
    );
  });

  router.on("GET", `${root}/:name`, ({ caller, origin }, parameter) => {
    authorization.require(caller, `${type}/read`, idOf(parameter));
    return { status: 200, body: answerOf(find(idOf(parameter)), origin) };
  });

  for (const list of [root, `/subscriptions/:s/providers/${type}`]) {
    router.on("GET", list, ({ caller, origin }, parameter) => {
      const scope = listedScope(subscriptionId, parameter);
      authorization.require(caller, `${type}/read`, scope);
      const listed = topics.list().filter(({ id }) => isWithin(id, scope));
      return { status: 200, body: { value: listed.map((each) => answerOf(each, origin)) } };
    });
  }

  router.on("DELETE", `${root}/:name`, ({ caller }, parameter) => {
    const id = idOf(parameter);
    authorization.require(caller, `${type}/delete`, id);
    return { status: resources.deleteTopic(id) ? 202 : 204 };
  });

  router.on("POST", `${root}/:name/listKeys`, ({ caller }, parameter) => {
    authorization.require(caller, `${type}/listKeys/action`, idOf(parameter));
    return { status: 200, body: find(idOf(parameter)).keys() };
  });

  router.on("POST", `${root}/:name/regenerateKey`, ({ caller, body }, parameter) => {
    authorization.require(caller, `${type}/regenerateKey/action`, idOf(parameter));
    const { id } = find(idOf(parameter));
    const keyName = topicKeyName(textAt(body, "keyName"));
    return { status: 200, body: topics.regenerateKey(id, keyName) };
  });
}

/** Resource Manager's default is the Event Grid schema. */
function inputSchemaIn(body: unknown): Topic["inputSchema"] {
  const schema = textAt(body, "properties", "inputSchema");
  return schema === "CloudEventSchemaV1_0" || schema === "CustomEventSchema"
    ? schema
    : "EventGridSchema";
}

const DOMAIN_DEFAULTS = {
  autoCreateTopicWithFirstSubscription: true,
  autoDeleteTopicWithLastSubscription: true,
};

function answerOf(topic: Topic, origin: string) {
  const { id, name, location, localAuthEnabled, attributes } = topic;
  const { identity, tags } = attributes;
  return {
    id,
    name,
    type: topic.isDomain ? DOMAIN_TYPE : TOPIC_TYPE,
    location,
    ...(identity ? { identity } : {}),
    tags: tags ?? {},
    properties: {
      inputSchema: topic.inputSchema,
      publicNetworkAccess: "Enabled",
      ...(topic.isDomain ? DOMAIN_DEFAULTS : {}),
      ...objectAt(attributes, "properties"),
      endpoint: topicEndpointAt(origin, topic.path),
      disableLocalAuth: !localAuthEnabled,
      metricResourceId: stableUuid(id),
      provisioningState: "Succeeded",
    },
  };
}
