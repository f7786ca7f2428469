import type { ApiRequest, PathParameters, Router } from "../../api/index.js";
import { checkScope, invalidRequest, objectAt, ServiceError } from "../../base/index.js";
import { type EventSubscription, topicIdOf } from "../../eventgrid/index.js";
import { operationHeaders, resourceNotFound } from "../resources/index.js";
import { withDefaultTypes } from "./default-event-types.js";
import { deliveryAttributes, eventSubscriptionAnswer } from "./event-subscription-answer.js";
import { patched } from "./event-subscription-patch.js";
import { metricsAnswer } from "./metrics-routes.js";
import type { EventGridState } from "./state.js";
import { sourceOf } from "./system-topics.js";
import { requireDeadLetterRole, requireSecureWebhookRoles } from "./writer-rules.js";

/** One of the paths of an event subscription. */
interface Naming {
  /** Path of the collection. */
  readonly root: string;
  /** Resource type, with which the names of its actions begin. */
  readonly type: string;
  /** Resource ID that the collection belongs to, and the scope of its events. */
  readonly parent: (parameter: PathParameters) => { readonly id: string; readonly scope: string };
}

/**
 * Event subscriptions at any scope, and those below topics, domains and system topics. The scope of
 * the latter is the source.
 */
export function addEventSubscriptionRoutes(router: Router, state: EventGridState): void {
  const { subscriptionId, resources } = state;
  const group = "/subscriptions/:s/resourceGroups/:group/providers/Microsoft.EventGrid";
  const idOf = (parameter: PathParameters, ...segments: string[]) =>
    `/subscriptions/${subscriptionId}/resourceGroups/${parameter("group")}/providers/Microsoft.EventGrid/${segments.join("/")}`;

  addRoutes(router, state, {
    root: `${group}/systemTopics/:topic/eventSubscriptions`,
    type: "Microsoft.EventGrid/systemTopics/eventSubscriptions",
    parent: (parameter) => {
      const id = idOf(parameter, "systemTopics", parameter("topic"));
      const topic = resources.get(id);
      if (!topic) throw resourceNotFound(id);
      return { id, scope: sourceOf(topic) };
    },
  });
  addRoutes(router, state, {
    root: `${group}/topics/:topic/eventSubscriptions`,
    type: "Microsoft.EventGrid/topics/eventSubscriptions",
    parent: (parameter) => {
      const id = idOf(parameter, "topics", parameter("topic"));
      return { id, scope: id };
    },
  });
  addRoutes(router, state, {
    root: `${group}/domains/:domain/eventSubscriptions`,
    type: "Microsoft.EventGrid/domains/eventSubscriptions",
    parent: (parameter) => {
      const id = idOf(parameter, "domains", parameter("domain"));
      return { id, scope: id };
    },
  });
  addRoutes(router, state, {
    root: `${group}/domains/:domain/topics/:topic/eventSubscriptions`,
    type: "Microsoft.EventGrid/domains/topics/eventSubscriptions",
    parent: (parameter) => {
      const id = idOf(parameter, "domains", parameter("domain"), "topics", parameter("topic"));
      return { id, scope: id };
    },
  });
  addRoutes(router, state, {
    root: "/*scope/providers/Microsoft.EventGrid/eventSubscriptions",
    type: "Microsoft.EventGrid/eventSubscriptions",
    parent: (parameter) => {
      const scope = checkScope(parameter("scope"), subscriptionId);
      return { id: `${scope}/providers/Microsoft.EventGrid`, scope };
    },
  });
}

/** Whether the scope is a topic, a domain or a domain's topic. */
function isCustomTopic({ topics, domains }: EventGridState, scope: string): boolean {
  return (topics.get(scope) ?? domains.get(topicIdOf(scope))) !== undefined;
}

function addRoutes(router: Router, state: EventGridState, { root, type, parent }: Naming): void {
  const {
    eventSubscriptions: subscriptions,
    authorization,
    registrations,
    operations,
    directory,
    subscriptionId,
  } = state;
  const place = (parameter: PathParameters) => {
    const { id, scope } = parent(parameter);
    const name = parameter("name");
    return { scope, name, id: `${id}/eventSubscriptions/${name}` };
  };
  const find = ({ scope, name, id }: ReturnType<typeof place>) => {
    const subscription = subscriptions.get(scope, name);
    if (subscription) return subscription;
    throw new ServiceError(
      404,
      "ResourceNotFound",
      `The event subscription '${id}' was not found.`,
    );
  };

  const write = (
    request: ApiRequest,
    { scope, name, id }: ReturnType<typeof place>,
    properties: EventSubscription["properties"],
  ) => {
    authorization.require(request.caller, `${type}/write`, id);
    registrations.requireEventGrid();
    const complete = isCustomTopic(state, scope) ? properties : withDefaultTypes(properties, scope);
    const { subscription, completed } = subscriptions.write(
      { name, scope, properties: complete },
      (wanted) => {
        requireSecureWebhookRoles(directory, request.caller, wanted);
        requireDeadLetterRole(state, wanted);
      },
    );
    const { operationId } = operations.start(completed);
    // 201 for updates too, as in Azure: the azurerm provider expects it.
    return {
      status: 201,
      headers: operationHeaders(request, subscriptionId, operationId),
      body: { ...eventSubscriptionAnswer(subscription), id, type },
    };
  };

  router.on("PUT", `${root}/:name`, (request, parameter) =>
    write(request, place(parameter), objectAt(request.body, "properties")),
  );

  router.on("PATCH", `${root}/:name`, (request, parameter) => {
    const wanted = place(parameter);
    return write(request, wanted, patched(find(wanted).properties, objectAt(request.body)));
  });

  router.on("GET", `${root}/:name`, ({ caller }, parameter) => {
    const wanted = place(parameter);
    authorization.require(caller, `${type}/read`, wanted.id);
    return { status: 200, body: { ...eventSubscriptionAnswer(find(wanted)), id: wanted.id, type } };
  });

  router.on("GET", `${root}/:name/providers/Microsoft.Insights/metrics`, (request, parameter) => {
    const wanted = place(parameter);
    authorization.require(request.caller, "Microsoft.Insights/metrics/read", wanted.id);
    const body = metricsAnswer(request, find(wanted), state.metrics, state.now());
    return { status: 200, body };
  });

  router.on("GET", root, ({ caller }, parameter) => {
    const { id, scope } = parent(parameter);
    authorization.require(caller, `${type}/read`, id);
    const value = subscriptions.list(scope).map((each) => ({
      ...eventSubscriptionAnswer(each),
      id: `${id}/eventSubscriptions/${each.name}`,
      type,
    }));
    return { status: 200, body: { value } };
  });

  router.on("DELETE", `${root}/:name`, ({ caller }, parameter) => {
    const { scope, name, id } = place(parameter);
    authorization.require(caller, `${type}/delete`, id);
    return { status: subscriptions.delete(scope, name) ? 200 : 204 };
  });

  // The only way to read the URL with its query, which may contain a secret.
  router.on("POST", `${root}/:name/getFullUrl`, ({ caller }, parameter) => {
    const wanted = place(parameter);
    authorization.require(caller, `${type}/getFullUrl/action`, wanted.id);
    const { endpointUrl } = find(wanted).settings;
    if (endpointUrl === undefined) throw invalidRequest("Only webhooks have a full URL.");
    return { status: 200, body: { endpointUrl } };
  });

  router.on("POST", `${root}/:name/getDeliveryAttributes`, ({ caller }, parameter) => {
    const wanted = place(parameter);
    authorization.require(caller, `${type}/getDeliveryAttributes/action`, wanted.id);
    return { status: 200, body: { value: deliveryAttributes(find(wanted)) } };
  });
}
