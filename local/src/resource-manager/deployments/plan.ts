import type { ApiRequest } from "../../api/index.js";
import {
  field,
  invalidRequest,
  isObject,
  objectAt,
  ServiceError,
  scopeKey,
  textAt,
} from "../../base/index.js";
import { type Resource, type ResourceState, resourceResponse } from "../engine/index.js";
import { evaluate, resourceIdOf, type TemplateContext } from "./expressions.js";

interface PlannedResource {
  readonly id: string;
  /** As in the template, with its expressions. */
  readonly template: unknown;
}

/** A template that has been checked. */
export interface Plan {
  /** Each after those that it depends on. */
  readonly resources: readonly PlannedResource[];
  readonly outputs: Readonly<Record<string, unknown>>;
  /** The values of the template's expressions during the deployment. */
  readonly context: TemplateContext;
  /** As the deployment shows them: without the values of secure ones. */
  readonly parameters: object;
}

/**
 * Checks a deployment before anything is created: all expressions are evaluated, without the values
 * that only deployed resources have.
 *
 * @throws ServiceError 400
 */
export function planOf(request: ApiRequest, state: ResourceState, group: Resource): Plan {
  const { body } = request;
  const template = field(body, "properties", "template");
  if (!isObject(template)) {
    throw invalidTemplate("The deployment has no template. Template links are not supported.");
  }
  const resources = supportedResources(template, textAt(body, "properties", "mode"));
  const referenced = new Set<string>();
  const remember = (id: string) => void referenced.add(id);
  const { values, shown } = valuesOf(request, state, group, template);
  const preflight: TemplateContext = { ...values, read: remember, act: remember };
  const evaluated = resources.map((each) => {
    referenced.clear();
    const { type, name, scope, dependsOn } = objectAt(evaluate(each, preflight));
    const above = typeof scope === "string" ? absolute(scope, group) : group.id;
    const id = resourceIdOf(above, String(type), String(name));
    const dependencies = [
      ...(Array.isArray(dependsOn) ? dependsOn.map(String) : []),
      ...referenced,
    ];
    return { id, name: String(name), template: each, dependencies };
  });
  const outputs = objectAt(template, "outputs");
  evaluate(outputs, preflight);
  const idOf = (nameOrId: string) =>
    evaluated.find(({ name }) => name === nameOrId)?.id ?? absolute(nameOrId, group);
  const nested = { ...request, headers: {} };
  return {
    resources: inOrder(evaluated, idOf),
    outputs,
    context: {
      ...values,
      read: (id) => resourceResponse(state, nested, "GET", idOf(id)).body,
      act: (id, action, content) =>
        resourceResponse(state, { ...nested, body: content }, "POST", `${idOf(id)}/${action}`).body,
    },
    parameters: shown,
  };
}

/** Parts of a resource that would change what is deployed. */
const RESOURCE_PARTS = ["condition", "copy", "existing", "resources"];

/**
 * The resources of a template.
 *
 * @param mode the deployment's. @default "Incremental"
 * @throws ServiceError 400 that names the parts of the template language that are not supported:
 * ignoring them would deploy something else than Azure does
 */
function supportedResources(
  template: Readonly<Record<string, unknown>>,
  mode: string | undefined,
): unknown[] {
  const { resources = [] } = template;
  const all = Array.isArray(resources) ? resources : [];
  const unsupported = [
    ...(mode === undefined || /^incremental$/i.test(mode) ? [] : [`the mode '${mode}'`]),
    ...(template.functions === undefined ? [] : ["'functions'"]),
    ...(isObject(resources) ? ["resources with symbolic names"] : []),
    ...all.flatMap((resource) => [
      ...RESOURCE_PARTS.filter((part) => field(resource, part) !== undefined).map(
        (part) => `'${part}' of a resource`,
      ),
      ...(/^Microsoft[.]Resources[/]deployments$/i.test(textAt(resource, "type") ?? "")
        ? ["nested deployments"]
        : []),
    ]),
  ];
  if (unsupported.length === 0) return all;
  const parts = [...new Set(unsupported)].join(", ");
  throw invalidRequest(
    `The local Azure does not support these parts of the template language: ${parts}.`,
  );
}

/** The values of parameters and variables, which deployed resources do not change. */
function valuesOf(
  { body }: ApiRequest,
  { subscriptionId, tenantId }: ResourceState,
  { id, name, location }: Resource,
  template: unknown,
) {
  const unavailable = () => {
    throw invalidTemplate("Parameters and variables cannot refer to deployed resources.");
  };
  const context: TemplateContext = {
    parameter: (each) => parameter(each),
    variable: (each) => variable(each),
    subscriptionId,
    tenantId,
    resourceGroup: { id, name, location },
    read: unavailable,
    act: unavailable,
  };
  const written = objectAt(body, "properties", "parameters");
  const declared = objectAt(template, "parameters");
  const parameter = valuesByName("parameter", declared, (declaration, each) => {
    const value =
      field(written, each, "value") ?? evaluate(field(declaration, "defaultValue"), context);
    if (value !== undefined) return value;
    throw invalidTemplate(`The value for the template parameter '${each}' is not provided.`);
  });
  const variables = objectAt(template, "variables");
  const variable = valuesByName("variable", variables, (value) => evaluate(value, context));
  const shown = Object.fromEntries(
    Object.entries(declared).map(([each, declaration]) => {
      const type = textAt(declaration, "type");
      const value = parameter(each);
      return [each, { type, ...(!isSecure(type) && { value }) }];
    }),
  );
  for (const each of Object.keys(variables)) variable(each);
  return { values: context, shown };
}

/** @see https://learn.microsoft.com/azure/azure-resource-manager/templates/best-practices#template-limits */
const MAX_VALUES = 256;

/** Values that may refer to each other in any order. Their names have no case. */
function valuesByName(
  kind: string,
  declared: Readonly<Record<string, unknown>>,
  read: (declaration: unknown, name: string) => unknown,
): (name: string) => unknown {
  if (Object.keys(declared).length > MAX_VALUES) {
    throw invalidTemplate(`A template has at most ${MAX_VALUES} ${kind}s.`);
  }
  const values = new Map<string, unknown>();
  const pending = new Set<string>();
  return (name) => {
    const key = name.toLowerCase();
    if (values.has(key)) return values.get(key);
    const own = Object.entries(declared).find(([each]) => each.toLowerCase() === key);
    if (!own) throw invalidTemplate(`The template ${kind} '${name}' is not found.`);
    if (pending.has(key)) throw invalidTemplate(`The template ${kind} '${name}' refers to itself.`);
    pending.add(key);
    const value = read(own[1], own[0]);
    values.set(key, value);
    return value;
  };
}

/** Whether values of a type of parameters or outputs are secret. */
export function isSecure(type: unknown): boolean {
  return /^secure(string|object)$/i.test(String(type));
}

/** A scope or dependency may be relative: `Microsoft.EventGrid/topics/orders`. */
function absolute(id: string, group: Resource): string {
  return id.startsWith("/") ? id : `${group.id}/providers/${id}`;
}

function inOrder(
  resources: readonly (PlannedResource & { readonly dependencies: readonly string[] })[],
  idOf: (nameOrId: string) => string,
): PlannedResource[] {
  const waiting = new Map(resources.map((resource) => [scopeKey(resource.id), resource]));
  const ordered: PlannedResource[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting].find(([own, { dependencies }]) =>
      dependencies.every((each) => {
        const key = scopeKey(idOf(each));
        return key === own || !waiting.has(key);
      }),
    );
    if (!ready) throw invalidTemplate("The resources of the template depend on each other.");
    waiting.delete(ready[0]);
    ordered.push(ready[1]);
  }
  return ordered;
}

function invalidTemplate(message: string): ServiceError {
  return new ServiceError(400, "InvalidTemplate", message);
}
