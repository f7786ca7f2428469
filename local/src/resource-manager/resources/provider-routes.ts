import type { Router } from "../../api/index.js";
import { EVENT_GRID_CLIENT_ID } from "../../directory/index.js";
import type { RegistrationState } from "./provider-registrations.js";
import { namespaceNotFound } from "./resource-requests.js";
import type { SubscriptionState } from "./state.js";
import { regions } from "./subscription-routes.js";

/** Any version is served; clients choose the first. */
const API_VERSIONS = ["2025-02-15", "2024-01-01", "2023-01-01", "2022-06-15"];

/** The applications of providers that get a role in the subscription. */
const AUTHORIZATIONS: Readonly<Record<string, readonly object[]>> = {
  "Microsoft.EventGrid": [
    {
      applicationId: EVENT_GRID_CLIENT_ID,
      roleDefinitionId: "7fe036d8-246f-48bf-a78f-ab3ee699c8f3",
    },
  ],
};

/** Resource providers and the subscription's registrations with them. */
export function addProviderRoutes(
  router: Router,
  state: SubscriptionState,
  types: readonly { readonly type: string }[],
): void {
  const { authorization, registrations, subscriptionId } = state;
  const scope = `/subscriptions/${subscriptionId}`;

  const resourceTypesOf = (namespace: string) =>
    types
      .filter(({ type }) => type.toLowerCase().startsWith(`${namespace.toLowerCase()}/`))
      .map(({ type }) => ({
        resourceType: type.slice(namespace.length + 1),
        locations: regions,
        apiVersions: API_VERSIONS,
        defaultApiVersion: API_VERSIONS[0],
        capabilities: "None",
      }));
  const answerOf = ({ namespace, state }: { namespace: string; state: RegistrationState }) => ({
    id: `${scope}/providers/${namespace}`,
    namespace,
    authorizations: AUTHORIZATIONS[namespace] ?? [],
    registrationPolicy: "RegistrationRequired",
    registrationState: state,
    resourceTypes: resourceTypesOf(namespace),
  });
  const find = (namespace: string) => {
    const found = registrations.find(namespace);
    if (found) return found;
    throw namespaceNotFound(namespace);
  };
  for (const [action, state, result] of [
    ["register", "Registering", "Registered"],
    ["unregister", "Unregistering", "Unregistered"],
  ] as const) {
    router.on("POST", `/subscriptions/:s/providers/:namespace/${action}`, (request, parameter) => {
      const { namespace } = find(parameter("namespace"));
      authorization.require(request.caller, `${namespace}/${action}/action`, scope);
      registrations.set(namespace, result);
      return { status: 200, body: answerOf({ namespace, state }) };
    });
  }

  router.get("/subscriptions/:s/providers", ({ caller }) => {
    authorization.require(caller, "Microsoft.Resources/subscriptions/providers/read", scope);
    return { value: registrations.list().map(answerOf) };
  });
  router.get("/subscriptions/:s/providers/:namespace", ({ caller }, parameter) => {
    authorization.require(caller, "Microsoft.Resources/subscriptions/providers/read", scope);
    return answerOf(find(parameter("namespace")));
  });
  // The same for the tenant, without a registration.
  router.get("/providers", () => ({ value: registrations.list().map(answerOf) }));
  router.get("/providers/:namespace", (_, parameter) => answerOf(find(parameter("namespace"))));
  router.get(
    "/subscriptions/:s/providers/Microsoft.Features/providers/:namespace/features",
    () => ({
      value: [],
    }),
  );
}
