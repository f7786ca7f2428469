import type { PathParameters, Router } from "../control-plane/router.js";
import { ServiceError } from "../errors.js";
import { checkScope } from "../eventgrid/scope.js";
import type { EventSubscriptions } from "../eventgrid/subscriptions/index.js";
import { eventSubscriptionAnswer } from "./event-subscription-answer.js";
import { eventSubscriptionIn } from "./event-subscription-body.js";
import { operationHeaders } from "./operation-routes.js";
import { requireSecureWebhookRoles } from "./secure-webhook-rules.js";
import type { ResourceManagerState } from "./state.js";

const ACTION = "Microsoft.EventGrid/eventSubscriptions";
const ROOT = `/*scope/providers/${ACTION}`;

/** Event subscriptions at any scope. */
export function addEventSubscriptionRoutes(
  router: Router,
  state: ResourceManagerState,
  subscriptions: EventSubscriptions,
): void {
  const { authorization, registrations, operations, directory, subscriptionId } = state;
  const place = (parameter: PathParameters) => {
    const scope = checkScope(parameter("scope"), subscriptionId);
    const name = parameter("name");
    return { scope, name, id: `${scope}/providers/${ACTION}/${name}` };
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

  // 201 for a change too: that is how the service answers and what the providers wait for.
  router.on("PUT", `${ROOT}/:name`, (request, parameter) => {
    const { scope, name, id } = place(parameter);
    authorization.require(request.caller, `${ACTION}/write`, id);
    registrations.requireEventGrid();
    const { subscription, completed } = subscriptions.begin(
      eventSubscriptionIn(request.body, scope, name),
      (wanted) => requireSecureWebhookRoles(directory, request.caller, wanted),
    );
    const { operationId } = operations.start(completed);
    return {
      status: 201,
      headers: operationHeaders(request, subscriptionId, operationId),
      body: eventSubscriptionAnswer(subscription),
    };
  });

  router.on("GET", `${ROOT}/:name`, ({ caller }, parameter) => {
    const wanted = place(parameter);
    authorization.require(caller, `${ACTION}/read`, wanted.id);
    return { status: 200, body: eventSubscriptionAnswer(find(wanted)) };
  });

  router.on("GET", ROOT, ({ caller }, parameter) => {
    const scope = checkScope(parameter("scope"), subscriptionId);
    authorization.require(caller, `${ACTION}/read`, scope);
    return { status: 200, body: { value: subscriptions.list(scope).map(eventSubscriptionAnswer) } };
  });

  router.on("DELETE", `${ROOT}/:name`, ({ caller }, parameter) => {
    const { scope, name, id } = place(parameter);
    authorization.require(caller, `${ACTION}/delete`, id);
    return { status: subscriptions.delete(scope, name) ? 200 : 204 };
  });

  // The only way to read the URL with its query, which may hold a secret.
  router.on("POST", `${ROOT}/:name/getFullUrl`, ({ caller }, parameter) => {
    const wanted = place(parameter);
    authorization.require(caller, `${ACTION}/getFullUrl/action`, wanted.id);
    return { status: 200, body: { endpointUrl: find(wanted).settings.endpointUrl } };
  });
}
