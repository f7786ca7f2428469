import type { ApiRequest, ApiResponse, Router } from "../../api/index.js";
import { ServiceError } from "../../base/index.js";
import type { SubscriptionState } from "./state.js";

/** The status of long-running operations. */
export function addOperationRoutes(router: Router, { operations }: SubscriptionState): void {
  router.on(
    "GET",
    "/subscriptions/:s/providers/Microsoft.EventGrid/locations/:l/operationsStatus/:id",
    async (request, parameter) => {
      const outcome = await operations.status(parameter("id"));
      if (!outcome) {
        throw new ServiceError(
          404,
          "ResourceNotFound",
          `The operation '${parameter("id")}' was not found.`,
        );
      }
      const { status } = outcome;
      const failure = status === "Failed" ? outcome.error : undefined;
      return {
        status: 200,
        headers: { "retry-after": "0" },
        body: {
          id: `${request.origin}${request.path}`,
          name: parameter("id"),
          status,
          ...(failure && { error: { code: failure.serviceCode, message: failure.message } }),
        },
      };
    },
  );
}

/** Headers that make a client poll the operation, without a pause. */
function operationHeaders(
  { origin }: ApiRequest,
  subscriptionId: string,
  operationId: string,
): Record<string, string> {
  const path = `/subscriptions/${subscriptionId}/providers/Microsoft.EventGrid/locations/westeurope/operationsStatus/${operationId}`;
  return {
    "azure-asyncoperation": `${origin}${path}?api-version=2025-02-15`,
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
 * before they read the resource. 201 for updates too, because some accept no other status.
 */
export function changed(
  request: ApiRequest,
  { operations, subscriptionId }: SubscriptionState,
  body: unknown,
  completed: Promise<unknown> = Promise.resolve(),
): ApiResponse {
  const { operationId } = operations.start(completed);
  return { status: 201, headers: operationHeaders(request, subscriptionId, operationId), body };
}
