import type { Router } from "../../api/index.js";
import { ServiceError } from "../../base/index.js";
import type { RegistrationState } from "./provider-registrations.js";
import type { SubscriptionState } from "./state.js";

/** Resource providers and the subscription's registrations with them. */
export function addProviderRoutes(router: Router, state: SubscriptionState): void {
  const { authorization, registrations, subscriptionId } = state;
  const scope = `/subscriptions/${subscriptionId}`;

  const answerOf = ({ namespace, state }: { namespace: string; state: RegistrationState }) => ({
    id: `${scope}/providers/${namespace}`,
    namespace,
    registrationPolicy: "RegistrationRequired",
    registrationState: state,
    resourceTypes: [],
  });
  const find = (namespace: string) => {
    const found = registrations.find(namespace);
    if (found) return found;
    throw new ServiceError(
      404,
      "InvalidResourceNamespace",
      `The resource namespace '${namespace}' is invalid.`,
    );
  };
  const change = (action: "register" | "unregister", result: RegistrationState) => {
    router.on("POST", `/subscriptions/:s/providers/:namespace/${action}`, (request, parameter) => {
      const { namespace } = find(parameter("namespace"));
      authorization.require(request.caller, `${namespace}/${action}/action`, scope);
      registrations.set(namespace, result);
      return { status: 200, body: answerOf(find(namespace)) };
    });
  };

  router.on("GET", "/subscriptions/:s/providers", ({ caller }) => {
    authorization.require(caller, "Microsoft.Resources/subscriptions/providers/read", scope);
    return { status: 200, body: { value: registrations.list().map(answerOf) } };
  });
  router.on("GET", "/subscriptions/:s/providers/:namespace", ({ caller }, parameter) => {
    authorization.require(caller, "Microsoft.Resources/subscriptions/providers/read", scope);
    return { status: 200, body: answerOf(find(parameter("namespace"))) };
  });
  change("register", "Registered");
  change("unregister", "Unregistered");
  router.on(
    "GET",
    "/subscriptions/:s/providers/Microsoft.Features/providers/:namespace/features",
    () => ({ status: 200, body: { value: [] } }),
  );
}
