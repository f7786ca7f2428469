import type { PathParameters, Router } from "../../api/index.js";
import { checkScope, ServiceError } from "../../base/index.js";
import { operationHeaders, resourceNotFound } from "../resources/index.js";
import { eventSubscriptionAnswer } from "./event-subscription-answer.js";
import { eventSubscriptionIn } from "./event-subscription-body.js";
import type { EventGridState } from "./state.js";
import { requireDeadLetterRole, requireSecureWebhookRoles } from "./writer-rules.js";

/** One of the two paths of an event subscription. */
interface Naming {
  /** Path of the collection. */
  readonly root: string;
  /** Resource type, with which the names of its actions begin. */
  readonly type: string;
  /** Resource ID that the collection belongs to, and the scope of its events. */
  readonly parent: (parameter: PathParameters) => { readonly id: string; readonly scope: string };
}

/** Event subscriptions at any scope, and those of system topics, whose scope is the source. */
export function addEventSubscriptionRoutes(router: Router, state: EventGridState): void {
  const { subscriptionId, systemTopics } = state;
  addRoutes(router, state, {
    root: "/*scope/providers/Microsoft.EventGrid/eventSubscriptions",
    type: "Microsoft.EventGrid/eventSubscriptions",
    parent: (parameter) => {
      const scope = checkScope(parameter("scope"), subscriptionId);
      return { id: `${scope}/providers/Microsoft.EventGrid`, scope };
    },
  });
  addRoutes(router, state, {
    root: "/subscriptions/:s/resourceGroups/:group/providers/Microsoft.EventGrid/systemTopics/:topic/eventSubscriptions",
    type: "Microsoft.EventGrid/systemTopics/eventSubscriptions",
    parent: (parameter) => {
      const id = `/subscriptions/${subscriptionId}/resourceGroups/${parameter("group")}/providers/Microsoft.EventGrid/systemTopics/${parameter("topic")}`;
      const topic = systemTopics.get(id);
      if (!topic) throw resourceNotFound(id);
      return { id, scope: topic.source };
    },
  });
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

  // 201 for updates too, as in Azure: the azurerm provider expects it.
  router.on("PUT", `${root}/:name`, (request, parameter) => {
    const { scope, name, id } = place(parameter);
    authorization.require(request.caller, `${type}/write`, id);
    registrations.requireEventGrid();
    const { subscription, completed } = subscriptions.begin(
      eventSubscriptionIn(request.body, scope, name, state.topics.get(scope) !== undefined),
      (wanted) => {
        requireSecureWebhookRoles(directory, request.caller, wanted);
        requireDeadLetterRole(state, wanted);
      },
    );
    const { operationId } = operations.start(completed);
    return {
      status: 201,
      headers: operationHeaders(request, subscriptionId, operationId),
      body: { ...eventSubscriptionAnswer(subscription), id, type },
    };
  });

  router.on("GET", `${root}/:name`, ({ caller }, parameter) => {
    const wanted = place(parameter);
    authorization.require(caller, `${type}/read`, wanted.id);
    return { status: 200, body: { ...eventSubscriptionAnswer(find(wanted)), id: wanted.id, type } };
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
    return { status: 200, body: { endpointUrl: find(wanted).settings.endpointUrl } };
  });
}
