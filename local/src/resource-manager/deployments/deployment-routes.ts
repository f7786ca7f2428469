import { randomUUID } from "node:crypto";
import type { ApiRequest, ApiResponse, Router } from "../../api/index.js";
import {
  field,
  invalidRequest,
  isObject,
  listAt,
  objectAt,
  ResourceStore,
  ServiceError,
  scopeKey,
  textAt,
} from "../../base/index.js";
import { type ResourceState, typeOf } from "../engine/index.js";
import { groupNotFound, resourceNotFound } from "../resources/index.js";
import { evaluate, resourceIdOf, type TemplateContext } from "./expressions.js";
import { supportedResources } from "./template.js";

interface Deployment {
  readonly id: string;
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

type Handle = (request: ApiRequest) => Promise<ApiResponse | undefined>;

/**
 * Deployments of ARM templates to a resource group. Each resource is written as if a client had
 * sent it, in the order of its dependencies.
 */
export function addDeploymentRoutes(router: Router, state: ResourceState, handle: Handle): void {
  const { authorization, subscriptionId } = state;
  const deployments = new ResourceStore<Deployment>();
  const root = "/subscriptions/:s/resourcegroups/:group/providers/Microsoft.Resources/deployments";
  const idOf = (group: string, name: string) =>
    `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers/Microsoft.Resources/deployments/${name}`;
  const answerOf = (deployment: Deployment) => ({
    ...deployment,
    type: "Microsoft.Resources/deployments",
  });
  const find = (id: string) => {
    const deployment = deployments.get(id);
    if (deployment) return deployment;
    throw resourceNotFound(id);
  };

  router.on("PUT", `${root}/:name`, async (request, parameter) => {
    const id = idOf(parameter("group"), parameter("name"));
    authorization.require(request.caller, "Microsoft.Resources/deployments/write", id);
    const properties = await deploy(request, state, parameter("group"), handle);
    const deployment = { id, name: parameter("name"), properties };
    deployments.put(deployment);
    return { status: 201, body: answerOf(deployment) };
  });
  router.on("POST", `${root}/:name/validate`, (request, parameter) => {
    const context = contextOf(request, state, parameter("group"), new Map());
    for (const each of templateResources(request)) evaluate(each, context);
    return { status: 200, body: { properties: { provisioningState: "Succeeded" } } };
  });
  router.on("GET", `${root}/:name`, ({ caller }, parameter) => {
    const id = idOf(parameter("group"), parameter("name"));
    authorization.require(caller, "Microsoft.Resources/deployments/read", id);
    return { status: 200, body: answerOf(find(id)) };
  });
  router.on("DELETE", `${root}/:name`, ({ caller }, parameter) => {
    const id = idOf(parameter("group"), parameter("name"));
    authorization.require(caller, "Microsoft.Resources/deployments/delete", id);
    deployments.delete(id);
    return { status: 204 };
  });
  const operations = "/subscriptions/:s/resourcegroups/:group/deployments/:name/operations";
  router.on("GET", operations, ({ caller }, parameter) => {
    const id = idOf(parameter("group"), parameter("name"));
    authorization.require(caller, "Microsoft.Resources/deployments/operations/read", id);
    return { status: 200, body: { value: operationsOf(find(id)) } };
  });
  router.on("GET", root, ({ caller }, parameter) => {
    const collection = idOf(parameter("group"), "");
    authorization.require(caller, "Microsoft.Resources/deployments/read", collection);
    return { status: 200, body: { value: deployments.in(collection).map(answerOf) } };
  });
}

async function deploy(request: ApiRequest, state: ResourceState, group: string, handle: Handle) {
  const deployed = new Map<string, unknown>();
  const context = contextOf(request, state, group, deployed);
  const outputResources: { id: string }[] = [];
  for (const resource of inOrder(templateResources(request), context)) {
    const {
      type,
      name,
      apiVersion: _,
      dependsOn: __,
      scope,
      ...body
    } = objectAt(evaluate(resource, context));
    const above = typeof scope === "string" ? absolute(scope, context) : context.resourceGroup.id;
    const id = resourceIdOf(above, String(type), String(name));
    const answer = await handle({ ...request, headers: {}, method: "PUT", path: id, body });
    if (!answer) throw invalidRequest(`The resource type '${type}' is not supported.`);
    await completed(answer, state);
    deployed.set(scopeKey(id), field(answer.body, "properties"));
    outputResources.push({ id });
  }
  const outputs = Object.entries(objectAt(request.body, "properties", "template", "outputs"));
  return {
    provisioningState: "Succeeded",
    mode: textAt(request.body, "properties", "mode") ?? "Incremental",
    correlationId: randomUUID(),
    timestamp: new Date().toISOString(),
    duration: "PT1S",
    parameters: objectAt(request.body, "properties", "parameters"),
    outputs: Object.fromEntries(
      outputs.map(([name, output]) => [name, objectAt(evaluate(output, context))]),
    ),
    outputResources,
    dependencies: [],
    providers: [],
  };
}

/** One operation for each deployed resource. */
function operationsOf({ id, properties }: Deployment): unknown[] {
  const { timestamp, duration } = properties;
  return listAt(properties, "outputResources").map((resource, index) => {
    const operationId = String(index + 1);
    const target = textAt(resource, "id") ?? "";
    return {
      id: `${id}/operations/${operationId}`,
      operationId,
      properties: {
        provisioningOperation: "Create",
        provisioningState: "Succeeded",
        timestamp,
        duration,
        statusCode: "OK",
        targetResource: {
          id: target,
          resourceType: typeOf(target),
          resourceName: target.slice(target.lastIndexOf("/") + 1),
        },
      },
    };
  });
}

/** Waits for a resource that is created by an operation, such as an event subscription. */
async function completed(response: ApiResponse, { operations }: ResourceState): Promise<void> {
  const url = response.headers?.["azure-asyncoperation"];
  if (url === undefined) return;
  const outcome = await operations.status(new URL(url).pathname.split("/").at(-1) ?? "");
  if (outcome?.status === "Failed") throw outcome.error;
}

function templateResources({ body }: ApiRequest): unknown[] {
  const template = field(body, "properties", "template");
  if (isObject(template)) return supportedResources(template, textAt(body, "properties", "mode"));
  throw new ServiceError(
    400,
    "InvalidTemplate",
    "The deployment has no template. Template links are not supported.",
  );
}

function contextOf(
  { body }: ApiRequest,
  { subscriptionId, tenantId, resources }: ResourceState,
  groupName: string,
  deployed: ReadonlyMap<string, unknown>,
): TemplateContext {
  const group = resources.get(`/subscriptions/${subscriptionId}/resourceGroups/${groupName}`);
  if (!group) {
    throw groupNotFound(groupName);
  }
  const parameters = new Map<string, unknown>();
  const variables = new Map<string, unknown>();
  const { id, name, location } = group;
  const context: TemplateContext = {
    parameters,
    variables,
    subscriptionId,
    tenantId,
    resourceGroup: { id, name, location },
    reference: (requested) => deployed.get(scopeKey(absolute(requested, context))),
  };
  const values = objectAt(body, "properties", "parameters");
  const declared = objectAt(body, "properties", "template", "parameters");
  for (const [each, declaration] of Object.entries(declared)) {
    const value = field(values, each, "value");
    const fallback = evaluate(field(declaration, "defaultValue"), context);
    if (value === undefined && fallback === undefined) {
      const message = `The value for the template parameter '${each}' is not provided.`;
      throw new ServiceError(400, "InvalidTemplate", message);
    }
    parameters.set(each.toLowerCase(), value ?? fallback);
  }
  const template = objectAt(body, "properties", "template", "variables");
  for (const [each, value] of Object.entries(template)) {
    variables.set(each.toLowerCase(), evaluate(value, context));
  }
  return context;
}

/** A scope or dependency may be relative: `Microsoft.EventGrid/topics/orders`. */
function absolute(id: string, { resourceGroup }: TemplateContext): string {
  return id.startsWith("/") ? id : `${resourceGroup.id}/providers/${id}`;
}

/** Resources after those that they depend on. */
function inOrder(resources: readonly unknown[], context: TemplateContext): unknown[] {
  const waiting = new Map(
    resources.map((resource) => {
      const type = String(evaluate(field(resource, "type"), context));
      const name = String(evaluate(field(resource, "name"), context));
      const scope = evaluate(field(resource, "scope"), context);
      const above = typeof scope === "string" ? absolute(scope, context) : context.resourceGroup.id;
      return [scopeKey(resourceIdOf(above, type, name)), resource] as const;
    }),
  );
  const ordered: unknown[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting].find(([, resource]) =>
      listAt(resource, "dependsOn").every(
        (each) => !waiting.has(scopeKey(absolute(String(evaluate(each, context)), context))),
      ),
    );
    if (!ready) throw invalidRequest("The resources of the template depend on each other.");
    waiting.delete(ready[0]);
    ordered.push(ready[1]);
  }
  return ordered;
}
