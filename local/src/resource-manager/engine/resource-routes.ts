import type { ApiRequest, ApiResponse, Router } from "../../api/index.js";
import { field, normalizeScope, objectAt, ServiceError, textAt } from "../../base/index.js";
import {
  accepted,
  changed,
  locations,
  resourceNotFound,
  type SubscriptionState,
} from "../resources/index.js";
import type { Resource } from "./resource.js";
import type { ResourceType, WrittenResource } from "./resource-type.js";
import type { Resources } from "./resources.js";

export interface ResourceState extends SubscriptionState {
  readonly resources: Resources;
}

/** The resource or the collection that a path names. */
interface Place {
  readonly type: ResourceType;
  /** ID of the resource; of the parent for a collection. */
  readonly id: string;
  /** Empty for a collection. */
  readonly name: string;
  /** The last segment of a path that ends with an action or an unknown collection. */
  readonly action: string;
}

/**
 * Reads and writes resources of the known types. Must be added after all other routes, because the
 * paths match every resource.
 */
export function addResourceRoutes(
  router: Router,
  state: ResourceState,
  groupType: ResourceType,
): void {
  const { subscriptionId } = state;
  const subscription = `/subscriptions/${subscriptionId}`;
  const groups = "/subscriptions/:s/resourcegroups";

  router.on("GET", groups, (request) =>
    read(state, request, { type: groupType, id: subscription, name: "", action: "" }),
  );
  router.on("GET", "/subscriptions/:s/resources", ({ caller }) => {
    const action = "Microsoft.Resources/subscriptions/resources/read";
    state.authorization.require(caller, action, subscription);
    return { status: 200, body: { value: listed(state, subscription) } };
  });
  // The azurerm provider refuses to delete a group while this lists anything.
  router.on("GET", `${groups}/:group/resources`, ({ caller }, parameter) => {
    const id = `${subscription}/resourceGroups/${parameter("group")}`;
    state.authorization.require(caller, `${groupType.actionType}/read`, id);
    return { status: 200, body: { value: listed(state, id) } };
  });
  router.on("POST", "/subscriptions/:s/providers/:namespace/checkNameAvailability", () => ({
    status: 200,
    body: { nameAvailable: true, reason: null, message: null },
  }));
  for (const [method, handle] of Object.entries(handlers)) {
    if (method !== "POST") {
      router.on(method, `${groups}/:group`, (request, parameter) => {
        const name = parameter("group");
        const id = `${subscription}/resourceGroups/${name}`;
        return handle(state, request, { type: groupType, id, name, action: "" });
      });
    }
    router.on(method, "/*scope/providers/*rest", (request, parameter) => {
      const segments = parameter("rest").split("/").slice(1);
      return handle(state, request, placeOf(state, method, parameter("scope"), segments));
    });
  }
}

type Fields = Readonly<Record<string, unknown>>;

type Handler = (state: ResourceState, request: ApiRequest, place: Place) => ApiResponse;

const handlers: Readonly<Record<string, Handler>> = {
  PUT: (state, request, place) => write(state, request, place, objectAt(request.body)),
  PATCH: (state, request, place) => {
    const { patch = merged } = place.type;
    return write(state, request, place, patch(find(state, place), objectAt(request.body)));
  },
  GET: read,
  HEAD: (state, { caller }, place) => {
    authorize(state, caller, place, "read");
    return { status: state.resources.get(place.id) ? 204 : 404 };
  },
  DELETE: (state, request, place) => {
    const { caller, origin } = request;
    authorize(state, caller, place, "delete");
    const { isOperation, absent, showsDeleted } = place.type;
    const resource = state.resources.get(place.id);
    if (!resource && absent === undefined) return { status: 204 };
    const removed = resource ?? find(state, place);
    const body = showsDeleted ? { body: shown(place.type, removed, origin) } : {};
    state.resources.remove(removed);
    return isOperation ? accepted(request, state) : { status: 200, ...body };
  },
  POST: (state, { caller, body }, place) => {
    const { type, id, action: name } = place;
    authorize(state, caller, place, `${name}/action`);
    const actions = Object.entries(type.actions ?? {});
    const action = actions.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
    const resource = find(state, place);
    if (!action) throw resourceNotFound(`${id}/${name}`);
    return { status: 200, body: action(resource, body) };
  },
};

function merged({ body, location }: Resource, { properties, ...rest }: Fields): Fields {
  const all = { ...objectAt(body, "properties"), ...objectAt(properties) };
  return { location, ...body, ...rest, properties: all };
}

/** Children are not listed with the resources of a group. */
function listed({ resources }: ResourceState, scope: string) {
  const isTopLevel = ({ id }: Resource) => id.split("/providers/")[1]?.split("/").length === 3;
  return resources
    .in(scope)
    .filter(isTopLevel)
    .map(({ id, name, type, location }) => ({ id, name, type, location }));
}

function read(state: ResourceState, request: ApiRequest, place: Place): ApiResponse {
  const { type, id, name } = place;
  if (!type.isPublic) authorize(state, request.caller, place, "read");
  const { origin } = request;
  if (name !== "") return { status: 200, body: shown(type, find(state, place), origin) };
  const found =
    type.list?.(id, request) ?? state.resources.in(id).filter((each) => each.type === type.type);
  return { status: 200, body: { value: found.map((each) => shown(type, each, origin)) } };
}

function write(
  state: ResourceState,
  request: ApiRequest,
  place: Place,
  written: Fields,
): ApiResponse {
  const { id, name, type } = place;
  const { identities, registrations, resources } = state;
  authorize(state, request.caller, place, "write");
  registrations.require(type.type.split("/")[0] ?? "");
  const before = resources.get(id);
  const { location: _, identity: __, ...rest } = written;
  const identity = identities.assign({ id, name }, field(written, "identity"));
  const resource: Resource = {
    id,
    name,
    type: type.type,
    location: locationOf(type, written, before),
    body: {
      ...rest,
      ...(identity ? { identity } : {}),
      properties: objectAt(written, "properties"),
    },
  };
  const write = { before, caller: request.caller };
  const outcome: WrittenResource = type.onWrite?.(resource, write) ?? resource;
  const { completed, ...stored } = outcome;
  if (!type.read) resources.store.put(stored);
  const body = shown(type, stored, request.origin);
  if (type.isOperation || completed) return changed(request, state, body, completed);
  return { status: type.writeStatus ?? (before ? 200 : 201), body };
}

/** @throws ServiceError 400 for an unknown location, or if the type needs one and none is written */
function locationOf(type: ResourceType, written: unknown, before: Resource | undefined): string {
  const location = textAt(written, "location")?.toLowerCase().replaceAll(" ", "");
  if (location !== undefined) {
    const isKnown = [...locations, "global", before?.location].includes(location);
    if (isKnown) return location;
    throw new ServiceError(
      400,
      "LocationNotAvailableForResourceType",
      `The provided location '${location}' is not available for resource type '${type.type}'. List the available ones with GET /subscriptions/{id}/locations.`,
    );
  }
  if (type.location !== "required") return before?.location ?? type.location ?? "westeurope";
  throw new ServiceError(
    400,
    "LocationRequired",
    "The location property is required for this definition.",
  );
}

function authorize(
  state: ResourceState,
  caller: ApiRequest["caller"],
  place: Place,
  action: string,
) {
  const { type, actionType = type } = place.type;
  state.authorization.require(caller, `${actionType}/${action}`, place.id);
}

function find({ resources }: ResourceState, { id, type }: Place): Resource {
  const resource = resources.get(id) ?? defaultChild(resources, id, type);
  if (resource) return resource;
  throw type.notFound?.(id) ?? resourceNotFound(id);
}

/** A child that exists with its parent, for example the blob service of a storage account. */
function defaultChild(
  resources: Resources,
  id: string,
  { type }: ResourceType,
): Resource | undefined {
  const segments = id.split("/");
  const parent = resources.get(segments.slice(0, -2).join("/"));
  const child = segments.slice(-2).join("/");
  const defaults = Object.entries((parent && resources.typeNamed(parent.type)?.defaults) ?? {});
  const properties = defaults.find(([name]) => name.toLowerCase() === child.toLowerCase())?.[1];
  if (!parent || !properties) return undefined;
  return { id, type, location: parent.location, name: segments.at(-1) ?? "", body: { properties } };
}

/** The place of a path `{scope}/providers/{namespace}/{type}/{name}/…`. */
function placeOf(
  state: ResourceState,
  method: string,
  scope: string,
  [namespace = "", ...segments]: string[],
): Place {
  const action = method === "POST" && segments.length % 2 === 1 ? (segments.pop() ?? "") : "";
  const isCollection = segments.length % 2 === 1;
  const types = segments.filter((_, index) => index % 2 === 0);
  const type = state.resources.typeNamed([namespace, ...types].join("/"));
  const own = isCollection ? segments.slice(0, -1) : segments;
  const above = type && aboveOf(state, type, scope, own.length === 0);
  const isServed = type?.methods?.includes(method) ?? true;
  if (!type || above === undefined || !isServed || (isCollection && method !== "GET")) {
    throw new ServiceError(
      404,
      "InvalidResourceType",
      `The resource type '${types.join("/")}' could not be found in the namespace '${namespace}' of the local Azure.`,
    );
  }
  const id = own.length === 0 ? above : [above, "providers", namespace, ...own].join("/");
  return { type, id, name: isCollection ? "" : (own.at(-1) ?? ""), action };
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

function shown(type: ResourceType, resource: Resource, origin: string) {
  if (type.show) return type.show(resource);
  const { id, name, location, body } = resource;
  const isChild = resource.type.split("/").length > 2;
  return {
    ...body,
    id,
    name,
    type: resource.type,
    ...(isChild ? {} : { location, tags: body.tags ?? {} }),
    properties: {
      ...type.properties?.(resource),
      ...objectAt(body, "properties"),
      ...type.computed?.(resource, origin),
      provisioningState: "Succeeded",
    },
    ...type.metadata?.(resource),
  };
}
