import type { ApiAnswer, ApiRequest, Router } from "../control-plane/router.js";
import { ServiceError } from "../errors.js";
import type { ResourceManagerState } from "./state.js";

/** The state of long-running operations. */
export function addOperationRoutes(router: Router, { operations }: ResourceManagerState): void {
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

/** What sends a client after an operation: where to ask, and that it need not wait before it does. */
export function operationHeaders(
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

/**
 * The answer to a change that is made already, as an operation: without one a client waits before
 * it looks again. 201 for a change of what is there too: any other status is no operation to some.
 */
export function changed(
  request: ApiRequest,
  { operations, subscriptionId }: ResourceManagerState,
  body: unknown,
): ApiAnswer {
  const { operationId } = operations.start(Promise.resolve());
  return { status: 201, headers: operationHeaders(request, subscriptionId, operationId), body };
}
