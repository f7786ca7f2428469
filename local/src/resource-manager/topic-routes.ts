import { field, objectAt, textAt } from "../control-plane/json-fields.js";
import type { ApiAnswer, ApiRequest, Router } from "../control-plane/router.js";
import { ServiceError } from "../errors.js";
import type { Topic } from "../eventgrid/topics/topic.js";
import type { EventGridStores } from "./event-grid-stores.js";
import { operationHeaders } from "./operation-routes.js";
import { resourceNotFound } from "./resource-errors.js";
import type { ResourceManagerState } from "./state.js";

const ACTION = "Microsoft.EventGrid/topics";
const ROOT = `/subscriptions/:s/resourceGroups/:group/providers/${ACTION}`;

/** Custom topics and their keys. */
export function addTopicRoutes(
  router: Router,
  state: ResourceManagerState,
  { topics, eventSubscriptions }: EventGridStores,
): void {
  const { authorization, registrations, operations, subscriptionId } = state;
  const idOf = (parameter: (name: string) => string) =>
    `/subscriptions/${subscriptionId}/resourceGroups/${parameter("group")}/providers/${ACTION}/${parameter("name")}`;
  const find = (id: string) => {
    const topic = topics.get(id);
    if (topic) return topic;
    throw resourceNotFound(id);
  };
  const accepted = (request: ApiRequest, status: number, topic: Topic): ApiAnswer => {
    const { operationId } = operations.start(Promise.resolve());
    const headers = operationHeaders(request, subscriptionId, operationId);
    return { status, headers, body: answerOf(topic) };
  };

  router.on("PUT", `${ROOT}/:name`, (request, parameter) => {
    const id = idOf(parameter);
    authorization.require(request.caller, `${ACTION}/write`, id);
    registrations.requireEventGrid();
    const location = textAt(request.body, "location");
    if (location === undefined) {
      throw new ServiceError(
        400,
        "LocationRequired",
        "The location property is required for this definition.",
      );
    }
    const settings = settingsOf(request.body, {});
    const topic = topics.get(id)
      ? topics.update(id, settings)
      : topics.create({
          name: parameter("name"),
          resourceGroupName: parameter("group"),
          location: location.toLowerCase().replaceAll(" ", ""),
          inputSchema: inputSchemaIn(request.body),
          ...settings,
        });
    return accepted(request, 201, topic);
  });

  router.on("PATCH", `${ROOT}/:name`, (request, parameter) => {
    const topic = find(idOf(parameter));
    authorization.require(request.caller, `${ACTION}/write`, topic.id);
    const changed = topics.update(topic.id, settingsOf(request.body, topic.attributes));
    return accepted(request, 200, changed);
  });

  router.on("GET", `${ROOT}/:name`, ({ caller }, parameter) => {
    authorization.require(caller, `${ACTION}/read`, idOf(parameter));
    return { status: 200, body: answerOf(find(idOf(parameter))) };
  });

  router.on("DELETE", `${ROOT}/:name`, ({ caller }, parameter) => {
    const id = idOf(parameter);
    authorization.require(caller, `${ACTION}/delete`, id);
    for (const { scope, name } of eventSubscriptions.list(id)) {
      eventSubscriptions.delete(scope, name);
    }
    return { status: topics.delete(id) ? 202 : 204 };
  });

  router.on("POST", `${ROOT}/:name/listKeys`, ({ caller }, parameter) => {
    authorization.require(caller, `${ACTION}/listKeys/action`, idOf(parameter));
    return { status: 200, body: find(idOf(parameter)).keys() };
  });

  router.on("POST", `${ROOT}/:name/regenerateKey`, ({ caller, body }, parameter) => {
    authorization.require(caller, `${ACTION}/regenerateKey/action`, idOf(parameter));
    const { id } = find(idOf(parameter));
    const keyName = textAt(body, "keyName");
    if (keyName !== "key1" && keyName !== "key2") {
      throw new ServiceError(
        400,
        "InvalidRequest",
        `The key name '${keyName}' is invalid. It must be key1 or key2.`,
      );
    }
    return { status: 200, body: topics.regenerateKey(id, keyName) };
  });
}

/** What a PUT or PATCH says, over what was there before. */
function settingsOf(body: unknown, before: Readonly<Record<string, unknown>>) {
  const properties = { ...objectAt(before, "properties"), ...objectAt(body, "properties") };
  const identity = field(body, "identity") ?? before.identity;
  const tags = field(body, "tags") ?? before.tags;
  return {
    localAuthEnabled: properties.disableLocalAuth !== true,
    attributes: { properties, identity, tags },
  };
}

/** Left out, it is the older schema, as Resource Manager has it. */
function inputSchemaIn(body: unknown): Topic["inputSchema"] {
  const schema = textAt(body, "properties", "inputSchema");
  return schema === "CloudEventSchemaV1_0" || schema === "CustomEventSchema"
    ? schema
    : "EventGridSchema";
}

function answerOf(topic: Topic) {
  const { id, name, location, endpoint, localAuthEnabled, attributes } = topic;
  const { identity, tags } = attributes;
  return {
    id,
    name,
    type: ACTION,
    location,
    ...(identity ? { identity } : {}),
    tags: tags ?? {},
    properties: {
      inputSchema: topic.inputSchema,
      publicNetworkAccess: "Enabled",
      ...objectAt(attributes, "properties"),
      endpoint,
      disableLocalAuth: !localAuthEnabled,
      provisioningState: "Succeeded",
    },
  };
}
