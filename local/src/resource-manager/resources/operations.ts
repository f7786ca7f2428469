import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { ApiRequest, ApiResponse, Router } from "../../api/index.js";
import { ServiceError, serviceError } from "../../base/index.js";

/** Longest time, in milliseconds, for which a request for an operation's status is held open. */
const MAX_WAIT_MS = 20_000;

/** Number of operations to keep; clients ask within seconds of the start. */
const MAX_OPERATIONS = 1_000;

/** The result that the request would have returned at once; none for a deletion. */
type Result = (() => unknown) | undefined;

type Outcome = { status: "Succeeded"; result: Result } | { status: "Failed"; error: ServiceError };

type Unfinished = { status: "InProgress" | "AwaitingManualAction" };

/** Long-running operations: clients poll their status. */
export class Operations {
  readonly #all = new Map<
    string,
    { readonly ended: Promise<Outcome>; readonly awaiting: Promise<unknown> | undefined }
  >();
  readonly #stopping = new AbortController();

  /**
   * Tracks work as an operation. Any error fails the operation.
   *
   * @param result called when a client asks for it, after the work
   * @param awaiting resolves when someone has to open a webhook's validation URL
   */
  start(
    work: Promise<unknown>,
    result?: Result,
    awaiting?: Promise<unknown>,
  ): { operationId: string } {
    const operationId = randomUUID();
    const ended = work.then(
      (): Outcome => ({ status: "Succeeded", result }),
      (error: unknown): Outcome => ({ status: "Failed", error: asServiceError(error) }),
    );
    this.#all.set(operationId, { ended, awaiting });
    const [oldest] = this.#all.keys();
    if (this.#all.size > MAX_OPERATIONS && oldest !== undefined) this.#all.delete(oldest);
    return { operationId };
  }

  /**
   * Waits until the operation has ended, but not longer than a limit: with `Retry-After: 0` clients
   * would otherwise poll without a pause. `undefined` for an unknown operation.
   */
  async status(operationId: string): Promise<Outcome | Unfinished | undefined> {
    const operation = this.#all.get(operationId);
    if (!operation) return undefined;
    const answered = new AbortController();
    const signal = AbortSignal.any([answered.signal, this.#stopping.signal]);
    const inProgress = { status: "InProgress" } as const;
    const timeout = setTimeout(MAX_WAIT_MS, inProgress, { signal }).catch(() => inProgress);
    const awaiting = operation.awaiting?.then(
      (): Unfinished => ({ status: "AwaitingManualAction" }),
    );
    const first = Promise.race([operation.ended, ...(awaiting ? [awaiting] : []), timeout]);
    return first.finally(() => answered.abort());
  }

  /** Ends waiting requests. */
  stop(): void {
    this.#stopping.abort();
  }
}

/** The parts of the Azure subscription that responses to operations use. */
interface OperationState {
  readonly subscriptionId: string;
  readonly operations: Operations;
}

function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return serviceError.InternalServerError(String(error), { cause: error });
}

const EVENT_GRID = "providers/Microsoft.EventGrid";

/** The status of long-running operations, and their results. */
export function addOperationRoutes(router: Router, state: OperationState): void {
  const { operations } = state;
  const outcomeOf = async (id: string) => {
    const outcome = await operations.status(id.toLowerCase());
    if (outcome) return outcome;
    throw serviceError.ResourceNotFound(`The operation '${id}' was not found.`);
  };
  for (const above of [EVENT_GRID, `${EVENT_GRID}/locations/:l`]) {
    const path = `/subscriptions/:s/${above}/operationsStatus/:id`;
    router.on("GET", path, async (request, parameter) => {
      const outcome = await outcomeOf(parameter("id"));
      const { status } = outcome;
      const failure = status === "Failed" ? outcome.error : undefined;
      return {
        status: 200,
        headers: status === "InProgress" ? NO_PAUSE : {},
        body: {
          id: `${request.origin}${request.path}${versionOf(request)}`,
          name: parameter("id").toLowerCase(),
          status,
          ...(failure && { error: shownError(failure) }),
        },
      };
    });
  }
  for (const collection of [
    "operationresults",
    `${EVENT_GRID}/operationResults`,
    `${EVENT_GRID}/locations/:l/operationResults`,
  ]) {
    router.on("GET", `/subscriptions/:s/${collection}/:id`, async (request, parameter) => {
      const outcome = await outcomeOf(parameter("id"));
      if (outcome.status === "Failed") throw outcome.error;
      if (outcome.status === "Succeeded") return { status: 200, body: outcome.result?.() };
      const location = `${request.origin}${request.path}${versionOf(request)}`;
      const pause = outcome.status === "InProgress" ? NO_PAUSE : {};
      return { status: 202, headers: { location, ...pause } };
    });
  }
}

/** An error with the one that caused it. */
function shownError({ serviceCode: code, message, cause }: ServiceError): object {
  return { code, message, ...(cause instanceof ServiceError && { details: [shownError(cause)] }) };
}

/** Azure lets clients wait 10 or 15 seconds before they poll. */
const NO_PAUSE = { "retry-after": "0" };

function versionOf({ query }: ApiRequest): string {
  return `?api-version=${query.get("api-version")}`;
}

/** The response to the deletion of a resource group, whose operation has a result only. */
export function groupAccepted(request: ApiRequest, state: OperationState): ApiResponse {
  const { operationId } = state.operations.start(Promise.resolve());
  const root = `${request.origin}/subscriptions/${state.subscriptionId}/operationresults`;
  const location = `${root}/${operationId.toUpperCase()}${versionOf(request)}`;
  return { status: 202, headers: { location, ...NO_PAUSE } };
}

/**
 * The response to a change, also one that is complete already: without an operation, clients wait
 * before they read the resource, and refuse a 202 without an address.
 */
export function changed(
  request: ApiRequest,
  state: OperationState,
  change: {
    readonly status: number;
    readonly body?: unknown;
    /** Returns the resource once the operation has ended. */
    readonly result?: () => unknown;
    readonly completed?: Promise<unknown> | undefined;
    readonly awaiting?: Promise<unknown> | undefined;
    /** Where the resource is; `undefined` for a global one. */
    readonly region: string | undefined;
  },
): ApiResponse {
  const { status, body, result, completed = Promise.resolve(), awaiting, region } = change;
  const { operationId } = state.operations.start(completed, result, awaiting);
  const location = region === undefined ? "" : `/locations/${region}`;
  const root = `${request.origin}/subscriptions/${state.subscriptionId}/${EVENT_GRID}${location}`;
  const operation = `${operationId.toUpperCase()}${versionOf(request)}`;
  return {
    status,
    headers: {
      "azure-asyncoperation": `${root}/operationsStatus/${operation}`,
      ...(status === 202 && { location: `${root}/operationResults/${operation}` }),
      ...NO_PAUSE,
    },
    body,
  };
}
