import type { ApiRequest, ApiResponse, Router } from "../../api/index.js";
import { ServiceError } from "../../base/index.js";
import type { SubscriptionState } from "./state.js";

const LOCATION = "providers/Microsoft.EventGrid/locations/westeurope";

/** The status of long-running operations, and their results. */
export function addOperationRoutes(router: Router, state: SubscriptionState): void {
  const { operations } = state;
  const outcomeOf = async (id: string) => {
    const outcome = await operations.status(id);
    if (outcome) return outcome;
    throw new ServiceError(404, "ResourceNotFound", `The operation '${id}' was not found.`);
  };
  router.on(
    "GET",
    "/subscriptions/:s/providers/Microsoft.EventGrid/locations/:l/operationsStatus/:id",
    async (request, parameter) => {
      const outcome = await outcomeOf(parameter("id"));
      const { status } = outcome;
      const failure = status === "Failed" ? outcome.error : undefined;
      return {
        status: 200,
        headers: { "retry-after": "0" },
        body: {
          id: `${request.origin}${request.path}`,
          name: parameter("id"),
          status,
          ...(failure && { error: shownError(failure) }),
        },
      };
    },
  );
  router.on(
    "GET",
    "/subscriptions/:s/providers/Microsoft.EventGrid/locations/:l/operationResults/:id",
    async (request, parameter) => {
      const outcome = await outcomeOf(parameter("id"));
      if (outcome.status === "Failed") throw outcome.error;
      if (outcome.status === "InProgress") {
        const headers = operationHeaders(request, state.subscriptionId, parameter("id"));
        return { status: 202, headers };
      }
      const { result } = outcome;
      return result ? { status: 200, body: result() } : { status: 204 };
    },
  );
}

/** An error with the one that caused it. */
export function shownError({ serviceCode: code, message, cause }: ServiceError): object {
  return { code, message, ...(cause instanceof ServiceError && { details: [shownError(cause)] }) };
}

/** Headers that make a client poll the operation, without a pause. */
function operationHeaders(
  { origin, query }: ApiRequest,
  subscriptionId: string,
  operationId: string,
): Record<string, string> {
  const urlOf = (collection: string) =>
    `${origin}/subscriptions/${subscriptionId}/${LOCATION}/${collection}/${operationId}?api-version=${query.get("api-version") ?? ""}`;
  return {
    "azure-asyncoperation": urlOf("operationsStatus"),
    location: urlOf("operationResults"),
    "retry-after": "0",
  };
}

/** The response to a deletion that is complete already. Pollers refuse a 202 without an address. */
export function accepted(
  request: ApiRequest,
  { operations, subscriptionId }: SubscriptionState,
): ApiResponse {
  const { operationId } = operations.start(Promise.resolve());
  return { status: 202, headers: operationHeaders(request, subscriptionId, operationId) };
}

/**
 * The response to a change, also one that is complete already: without an operation, clients wait
 * before they read the resource.
 */
export function changed(
  request: ApiRequest,
  { operations, subscriptionId }: SubscriptionState,
  change: {
    readonly status: number;
    readonly body: unknown;
    /** Returns the resource once the operation has ended. */
    readonly result: () => unknown;
    readonly completed: Promise<unknown> | undefined;
  },
): ApiResponse {
  const { status, body, result, completed = Promise.resolve() } = change;
  const { operationId } = operations.start(completed, result);
  return { status, headers: operationHeaders(request, subscriptionId, operationId), body };
}
