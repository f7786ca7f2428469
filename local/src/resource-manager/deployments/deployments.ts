import { randomUUID } from "node:crypto";
import type { ApiRequest, ApiResponse, Router } from "../../api/index.js";
import { field, listAt, objectAt, ServiceError, textAt } from "../../base/index.js";
import {
  type Resource,
  type ResourceState,
  type ResourceType,
  resourceResponse,
  typeOf,
} from "../engine/index.js";
import { asServiceError, groupNotFound, resourceNotFound, shownError } from "../resources/index.js";
import { evaluate } from "./expressions.js";
import { isSecure, type Plan, planOf } from "./plan.js";

const TYPE = "Microsoft.Resources/deployments";

const INTERRUPTED = {
  code: "DeploymentFailed",
  message: "The local Azure stopped before the deployment had ended.",
};

/** Deployments of ARM templates to a resource group, of which failed ones remain, too. */
export function deploymentResources(state: ResourceState): ResourceType {
  const running = new Set<string>();
  return {
    type: TYPE,
    methods: ["PUT", "GET", "HEAD", "DELETE"],
    isTracked: false,
    filter: { compared: ["provisioningState"] },
    pages: { size: 1_000, max: 1_000 },
    onWrite: (written, { request }) => {
      const plan = planOf(request, state, groupOf(state, written.id));
      const started = Date.now();
      const correlationId = randomUUID();
      const steps: Step[] = [];
      const record = (provisioningState: string, rest: object = {}) => {
        const properties = {
          provisioningState,
          mode: "Incremental",
          correlationId,
          timestamp: new Date().toISOString(),
          duration: `PT${(Date.now() - started) / 1000}S`,
          parameters: plan.parameters,
          outputResources: steps.flatMap(({ id, error }) => (error ? [] : [{ id }])),
          dependencies: [],
          providers: [],
          ...rest,
        };
        return { ...written, body: { properties, steps: [...steps] } };
      };
      const finish = (...result: Parameters<typeof record>) => {
        running.delete(correlationId);
        // Unless it has been deleted.
        if (state.resources.store.get(written.id)) state.resources.store.put(record(...result));
      };
      const stored = record("Running");
      running.add(correlationId);
      const completed = deploy(plan, request, state, steps).then(
        (outputs) => finish("Succeeded", { outputs }),
        (cause: unknown) => {
          const error = failureOf(cause);
          finish("Failed", { error: shownError(error) });
          throw error;
        },
      );
      return { ...stored, completed };
    },
    show: ({ id, name, type, body }) => {
      const properties = objectAt(body, "properties");
      const { provisioningState, correlationId } = properties;
      const isInterrupted = provisioningState === "Running" && !running.has(String(correlationId));
      const ended = isInterrupted ? { provisioningState: "Failed", error: INTERRUPTED } : {};
      return { id, name, type, properties: { ...properties, ...ended } };
    },
    isOperation: true,
  };
}

/** The parts of a resource in a template that are not its body. */
const TEMPLATE_PARTS = ["type", "name", "apiVersion", "dependsOn", "scope"];

/** What has become of a resource of the template. */
interface Step {
  readonly id: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/**
 * Writes the resources of a plan as if the caller had sent them.
 *
 * @param steps gets an entry for each resource
 * @returns the outputs
 * @throws ServiceError of the first resource that is refused
 */
async function deploy(
  { resources, outputs, context }: Plan,
  request: ApiRequest,
  state: ResourceState,
  steps: Step[],
): Promise<object> {
  for (const { id, template } of resources) {
    try {
      const evaluated = Object.entries(objectAt(evaluate(template, context)));
      const body = Object.fromEntries(evaluated.filter(([name]) => !TEMPLATE_PARTS.includes(name)));
      await completed(resourceResponse(state, { ...request, headers: {}, body }, "PUT", id), state);
      steps.push({ id });
    } catch (error) {
      const { serviceCode: code, message } = asServiceError(error);
      steps.push({ id, error: { code, message } });
      throw error;
    }
  }
  return Object.fromEntries(
    Object.entries(outputs).map(([name, output]) => {
      const { type, value } = objectAt(evaluate(output, context));
      return [name, { type, ...(!isSecure(type) && { value }) }];
    }),
  );
}

/** Waits for a resource that is created by an operation, such as an event subscription. */
async function completed({ headers }: ApiResponse, { operations }: ResourceState): Promise<void> {
  const url = headers?.["azure-asyncoperation"];
  const id = url === undefined ? undefined : new URL(url).pathname.split("/").at(-1);
  if (id !== undefined) await operations.ended(id.toLowerCase());
}

/**
 * The requests about deployments that do not read or write one. Must be added before the routes of
 * all resources.
 */
export function addDeploymentRoutes(router: Router, state: ResourceState): void {
  const { authorization, subscriptionId } = state;
  const idOf = (group: string, name: string) =>
    `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers/${TYPE}/${name}`;
  const group = "/subscriptions/:s/resourcegroups/:group";

  router.on("POST", `${group}/providers/${TYPE}/:name/validate`, (request, parameter) => {
    const id = idOf(parameter("group"), parameter("name"));
    authorization.require(request.caller, `${TYPE}/validate/action`, id);
    planOf(request, state, groupOf(state, id));
    return { status: 200, body: { properties: { provisioningState: "Succeeded" } } };
  });
  router.get(`${group}/deployments/:name/operations`, ({ caller }, parameter) => {
    const id = idOf(parameter("group"), parameter("name"));
    authorization.require(caller, `${TYPE}/operations/read`, id);
    const deployment = state.resources.store.get(id);
    if (!deployment) throw resourceNotFound(id);
    return { value: operationsOf(deployment) };
  });
  const deployment = `${group}/providers/${TYPE}/:name`;
  router.refuse("POST", `${deployment}/whatIf`, "what-if of deployments");
  router.refuse("POST", `${deployment}/exportTemplate`, "the export of templates");
  const subscription = `/subscriptions/:s/providers/${TYPE}/:name`;
  const ofSubscriptions = "deployments to a subscription. Deploy to a resource group";
  router.refuse("PUT", subscription, ofSubscriptions);
  router.refuse("POST", `${subscription}/validate`, ofSubscriptions);
  router.refuse("POST", `${subscription}/whatIf`, ofSubscriptions);
}

function groupOf({ resources }: ResourceState, id: string): Resource {
  const [groupId = ""] = id.split("/providers/");
  const group = resources.store.get(groupId);
  if (group) return group;
  throw groupNotFound(groupId);
}

/** What pollers get, with the error of the resource as its cause. */
function failureOf(cause: unknown): ServiceError {
  return new ServiceError(
    409,
    "DeploymentFailed",
    `At least one resource deployment operation failed. Please list deployment operations for details. ${cause instanceof Error ? cause.message : cause}`,
    { cause },
  );
}

/** One operation for each resource that was deployed, or not. */
function operationsOf({ id, body }: Resource): unknown[] {
  const { timestamp, duration } = objectAt(body, "properties");
  return listAt(body, "steps").map((step, index) => {
    const operationId = String(index + 1);
    const target = textAt(step, "id") ?? "";
    const error = field(step, "error");
    return {
      id: `${id}/operations/${operationId}`,
      operationId,
      properties: {
        provisioningOperation: "Create",
        provisioningState: error ? "Failed" : "Succeeded",
        timestamp,
        duration,
        statusCode: error ? "BadRequest" : "OK",
        ...(error !== undefined && { statusMessage: { error } }),
        targetResource: {
          id: target,
          resourceType: typeOf(target),
          resourceName: target.slice(target.lastIndexOf("/") + 1),
        },
      },
    };
  });
}
