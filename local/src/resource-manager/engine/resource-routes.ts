import { type ApiRequest, type ApiResponse, checkedBody, type Router } from "../../api/index.js";
import {
  groupOf,
  isChildType,
  isObject,
  normalizeScope,
  objectAt,
  outermostOf,
  parentOf,
  propertiesIn,
  sameText,
  serviceError,
  split,
  textAt,
  textOrEmpty,
  typeOf,
} from "../../base/index.js";
import type { Method } from "../../http/index.js";
import {
  type Action,
  changed,
  groupAccepted,
  groupNotFound,
  namespaceNotFound,
  parentNotFound,
  resourceNotFound,
} from "../resources/index.js";
import { answerOf } from "./answer.js";
import { checkIdentity, withoutRemoved } from "./identities.js";
import { listAnswer, listResources } from "./lists.js";
import { locationOf } from "./locations.js";
import { requireUnlocked } from "./locks.js";
import type { Resource, ResourceType, WrittenResource } from "./resource-type.js";
import { type ResourceState, type Resources, resourceAt } from "./resources.js";
import { checkTags } from "./tags.js";

/**
 * Reads and writes resources of the known types. Must be added after all other routes, because the
 * paths match every resource.
 */
export function addResourceRoutes(
  router: Router,
  state: ResourceState,
  groupType: ResourceType,
): void {
  const subscription = `/subscriptions/${state.subscriptionId}`;
  const groups = "/subscriptions/:s/resourcegroups";
  const groupNamed = (name: string): ResourcePath => {
    return { type: groupType, id: `${subscription}/resourceGroups/${name}`, name };
  };

  router.on("GET", groups, (request) =>
    read(state, request, { type: groupType, id: subscription, name: "" }),
  );
  router.get("/subscriptions/:s/resources", (request) => {
    const action = "Microsoft.Resources/subscriptions/resources/read";
    state.authorization.require(request.caller, action, subscription);
    return listResources(state, subscription, request);
  });
  // The azurerm provider refuses to delete a group while this lists anything.
  router.get(`${groups}/:group/resources`, (request, parameter) => {
    const group = groupNamed(parameter("group"));
    authorize(state, request.caller, group, "read");
    return listResources(state, find(state, group).id, request);
  });
  router.on(
    "POST",
    "/subscriptions/:s/providers/:namespace/checkNameAvailability",
    ({ body }, parameter) => ({
      status: 200,
      body: nameAvailability(state, parameter("namespace"), body),
    }),
  );
  for (const [method, handle] of Object.entries(handlers) as [Method, Handler][]) {
    if (method !== "POST") {
      router.on(method, `${groups}/:group`, (request, parameter) =>
        handle(state, request, groupNamed(parameter("group"))),
      );
    }
    router.on(method, "/*scope/providers/*rest", (request, parameter) => {
      const path = `${parameter("scope")}/providers${parameter("rest")}`;
      return resourceResponse(state, request, method, path);
    });
  }
}

/** Services whose requests name no type. */
const ONLY_TYPE: Readonly<Record<string, string>> = {
  "microsoft.devices": "Microsoft.Devices/IotHubs",
  "microsoft.eventhub": "Microsoft.EventHub/namespaces",
  "microsoft.servicebus": "Microsoft.ServiceBus/namespaces",
};

/**
 * Whether a name is free here; names of other subscriptions are not known.
 *
 * @see https://learn.microsoft.com/rest/api/storagerp/storage-accounts/check-name-availability
 * @throws ServiceError 400 for a body without a name, or with a type of another service
 */
function nameAvailability({ resources }: ResourceState, namespace: string, body: unknown): object {
  const name = textOrEmpty(body, "name");
  const type = textAt(body, "type") ?? ONLY_TYPE[namespace.toLowerCase()] ?? "";
  if (name === "" || !sameText(type.split("/")[0], namespace)) {
    const message = `The body must have a name and a type of ${namespace}, not '${name}' and '${type}'.`;
    throw serviceError.InvalidRequestContent(message);
  }
  const isTaken = resources.store
    .list()
    .some((each) => sameText(each.type, type) && sameText(each.name, name));
  return isTaken
    ? {
        nameAvailable: false,
        reason: "AlreadyExists",
        message: `The name ${name} is already taken.`,
      }
    : { nameAvailable: true, reason: null, message: null };
}

/**
 * Answers a request for a resource.
 *
 * @param path `{scope}/providers/{namespace}/{type}/{name}/…`
 */
function resourceResponse(
  state: ResourceState,
  request: ApiRequest,
  method: Method,
  path: string,
): ApiResponse {
  const at = path.toLowerCase().lastIndexOf("/providers/");
  const segments = split(path.slice(at).slice("/providers/".length), "/");
  const target = resolvePath(state, method, path.slice(0, at), segments);
  const handle = handlers[method];
  if (!handle) throw resourceNotFound(path);
  return handle(state, { ...request, method }, target);
}

type Fields = Readonly<Record<string, unknown>>;

type Handler = (state: ResourceState, request: ApiRequest, target: ResourcePath) => ApiResponse;

const handlers: Readonly<Partial<Record<Method, Handler>>> = {
  PUT: (state, request, target) => write(state, request, target, fieldsOf(request)),
  PATCH: (state, request, target) => {
    const { patch = merged } = target.type;
    authorize(state, request.caller, target, "write");
    const before = find(state, target);
    const written = patch(before, fieldsOf(request));
    return write(state, request, target, withoutRemoved(written, before));
  },
  GET: read,
  HEAD: (state, { caller }, target) => {
    authorize(state, caller, target, "read");
    return { status: state.resources.get(target.id) ? 204 : 404 };
  },
  DELETE: (state, request, target) => {
    const { caller } = request;
    authorize(state, caller, target, "delete");
    const { isOperation, absent, showsDeleted, deleteStatus = 200 } = target.type;
    requireGroup(state, target);
    const resource = state.resources.get(target.id);
    if (!resource) requireParent(state.resources, target, "delete");
    if (!resource && absent === undefined) return { status: 204 };
    const removed = resource ?? find(state, target);
    const body = showsDeleted ? { body: answerOf(target.type, removed, request) } : {};
    const region = regionOf(state, target.id);
    state.resources.remove(removed);
    if (deleteStatus === 202) return groupAccepted(request, state);
    if (isOperation) return changed(request, state, { status: 202, region });
    return { status: deleteStatus, ...body };
  },
  POST: (state, { caller, body }, target) => {
    const { type, id, action: name = "" } = target;
    authorize(state, caller, target, `${name}/action`);
    const actions = Object.entries(type.actions ?? {});
    const action = actions.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
    const resource = find(state, target);
    if (!action) throw resourceNotFound(`${id}/${name}`);
    return { status: 200, body: action(resource, body) };
  },
};

/** @throws ServiceError 400 for a body that is no object; none stands for `{}` */
function fieldsOf({ body = {} }: ApiRequest): Fields {
  if (isObject(body)) return body;
  const message =
    "The request content is not valid and could not be deserialized: write an object.";
  throw serviceError.InvalidRequestContent(message);
}

function merged({ body, location }: Resource, { properties, ...rest }: Fields): Fields {
  const all = { ...propertiesIn(body), ...objectAt(properties) };
  return { location, ...body, ...rest, properties: all };
}

function read(state: ResourceState, request: ApiRequest, target: ResourcePath): ApiResponse {
  const { type, id, name } = target;
  if (!type.isPublic) authorize(state, request.caller, target, "read");
  if (name !== "") {
    const resource = find(state, target);
    return { status: 200, body: answerOf(type, resource, request) };
  }
  requireGroup(state, target);
  requireListed(state.resources, target);
  const all = type.list?.(id, request) ?? [
    ...unwrittenChildren(state.resources, id, type),
    ...state.resources.in(id).filter((each) => each.type === type.type),
  ];
  return { status: 200, body: listAnswer(type, all, request) };
}

function write(
  state: ResourceState,
  request: ApiRequest,
  target: ResourcePath,
  written: Fields,
): ApiResponse {
  const { id, name, type } = target;
  const { identities, registrations, resources } = state;
  authorize(state, request.caller, target, "write");
  registrations.require(split(type.type, "/")[0]);
  requireGroup(state, target);
  const before = resources.get(id);
  if (!before) requireParent(resources, target, "write");
  const body = type.schemas ? checkedBody(type.schemas, type.type, written) : written;
  const { location: _, identity: wanted, ...rest } = body;
  checkTags(rest.tags);
  checkIdentity(state, id, wanted, before);
  // A PUT without an identity deletes the one that the resource has.
  const hasIdentity = isObject(wanted) || isObject(before?.body.identity);
  const identity = hasIdentity
    ? identities.assign({ id, name }, wanted, type.fields?.identity)
    : undefined;
  const resource: Resource = {
    id,
    name,
    type: type.type,
    location: locationOf(type, written, before),
    body: {
      ...rest,
      ...(identity ? { identity } : {}),
      properties: propertiesIn(rest),
    },
  };
  const outcome: WrittenResource = type.onWrite?.(resource, { before, request }) ?? resource;
  const { completed, awaiting, ...stored } = outcome;
  if (!type.read) resources.store.put(stored);
  if (type.isOperation || completed) {
    // With an operation all the same: clients would wait if they found none.
    const isComplete = type.isComplete?.(stored) === true;
    const change = before ? "Updating" : "Creating";
    const body = answerOf(type, stored, request, isComplete ? undefined : change);
    const result = () => answerOf(type, resources.get(id) ?? stored, request);
    const writeStatus = isComplete ? 200 : 201;
    const { patchStatus = writeStatus } = type;
    const status = request.method === "PATCH" ? patchStatus : writeStatus;
    const region = regionOf(state, id);
    return changed(request, state, { status, body, result, completed, awaiting, region });
  }
  const status = type.writeStatus ?? (before ? 200 : 201);
  return { status, body: answerOf(type, stored, request) };
}

function authorize(
  state: ResourceState,
  caller: ApiRequest["caller"],
  target: ResourcePath,
  action: string,
) {
  const { type, actionType = type } = target.type;
  state.authorization.require(caller, `${actionType}/${action}`, target.id);
  requireUnlocked(state.resources, target, action);
}

/** @throws ServiceError 404 if the resource group of a target does not exist */
function requireGroup({ resources }: ResourceState, { type, id }: ResourcePath): void {
  const group = groupOf(id);
  if (type.scope !== undefined || group === undefined || resources.store.get(group)) return;
  throw groupNotFound(group);
}

function find(state: ResourceState, target: ResourcePath): Resource {
  const { id, type } = target;
  requireGroup(state, target);
  const resource = state.resources.get(id) ?? defaultChild(state.resources, id, type);
  if (resource) return resource;
  requireParent(state.resources, target, "read");
  throw type.notFound?.(id) ?? resourceNotFound(id);
}

/** @throws ServiceError 404 if the parent of a resource that does not exist does not exist either */
function requireParent(resources: Resources, { id, type }: ResourcePath, action: Action): void {
  type.checkParent?.(id, action);
  if (type.checkParent || !isChildType(type.type)) return;
  const parent = parentOf(id);
  if (resources.get(parent) ?? defaultChild(resources, parent, type)) return;
  throw parentNotFound(action, id);
}

/** @throws ServiceError 404 for a list below a resource that does not exist */
function requireListed(resources: Resources, { type, id }: ResourcePath): void {
  if (type.scope !== undefined || !isChildType(type.type)) return;
  const above = resources.typeNamed(typeOf(id));
  if (resources.get(id) ?? (above && defaultChild(resources, id, above))) return;
  throw resourceNotFound(id);
}

/** The children that exist with each resource of a type, and their properties. */
function defaultsOf(resources: Resources, type: string) {
  return resources.typeNamed(type)?.defaults ?? {};
}

/** A child that exists with its parent, for example the blob service of a storage account. */
function defaultChild(
  resources: Resources,
  id: string,
  { type }: ResourceType,
): Resource | undefined {
  const parent = resources.get(parentOf(id));
  const child = id.split("/").slice(-2).join("/");
  if (!parent) return undefined;
  const defaults = Object.entries(defaultsOf(resources, parent.type));
  const properties = defaults.find(([name]) => name.toLowerCase() === child.toLowerCase())?.[1];
  if (!properties) return undefined;
  return resourceAt(id, type, { properties }, parent.location);
}

/** The children of a type that exist with their parent and have not been written. */
function unwrittenChildren(resources: Resources, id: string, type: ResourceType): Resource[] {
  return Object.keys(defaultsOf(resources, typeOf(id)))
    .map((child) => `${id}/${child}`)
    .filter((child) => sameText(typeOf(child), type.type) && !resources.get(child))
    .flatMap((child) => defaultChild(resources, child, type) ?? []);
}

/** The region of a resource or of the one that it belongs to; `undefined` for a global one. */
function regionOf({ resources }: ResourceState, id: string): string | undefined {
  const location = resources.get(outermostOf(id))?.location;
  return location === "global" ? undefined : location || undefined;
}

/** The resource or the collection that a path names. */
export interface ResourcePath {
  readonly type: ResourceType;
  /** ID of the resource; of the parent for a collection. */
  readonly id: string;
  /** Empty for a collection. */
  readonly name: string;
  /** The last segment of a POST's path that ends with an action or an unknown collection. */
  readonly action?: string | undefined;
}

/** The target of a path `{scope}/providers/{namespace}/{type}/{name}/…`. */
function resolvePath(
  state: ResourceState,
  method: Method,
  scope: string,
  [namespace, ...segments]: readonly [string, ...string[]],
): ResourcePath {
  const action = method === "POST" && segments.length % 2 === 1 ? segments.pop() : undefined;
  const isCollection = segments.length % 2 === 1;
  const types = segments.filter((_, index) => index % 2 === 0);
  const type = state.resources.typeNamed([namespace, ...types].join("/"));
  const own = isCollection ? segments.slice(0, -1) : segments;
  const above = type && aboveOf(state, type, scope, own.length === 0);
  const isServed = type?.methods?.includes(method) ?? true;
  if (!type && !state.registrations.find(namespace)) throw namespaceNotFound(namespace);
  if (!type || above === undefined || !isServed || (isCollection && method !== "GET")) {
    throw serviceError.InvalidResourceType(
      `The resource type '${types.join("/")}' could not be found in the namespace '${namespace}' of the local Azure.`,
    );
  }
  const id = own.length === 0 ? above : [above, "providers", namespace, ...own].join("/");
  return { type, id, name: isCollection ? "" : String(own.at(-1)), action };
}

/** The scope in the form of IDs; `undefined` if resources of the type cannot be there. */
function aboveOf(
  { subscriptionId }: ResourceState,
  type: ResourceType,
  scope: string,
  isList: boolean,
): string | undefined {
  const normalized = normalizeScope(scope);
  if (type.scope === "any") return normalized === "/" ? "" : normalized;
  const [, , id, , group, ...rest] = normalized.split("/");
  if (id === undefined || rest.length > 0) return undefined;
  if (group !== undefined) return `/subscriptions/${subscriptionId}/resourceGroups/${group}`;
  return isList ? `/subscriptions/${subscriptionId}` : undefined;
}
