import type { ApiRequest, PathParameters, Router } from "../../api/index.js";
import { field, isObject, objectAt, ServiceError, scopeKey, textAt } from "../../base/index.js";
import { resourceNotFound, type SubscriptionState } from "../resources/index.js";
import { type GenericResource, type GenericResources, stableUuid } from "./generic-resources.js";
import { resourceTypeOf, resourceTypes } from "./resource-types.js";

export interface GenericState extends SubscriptionState {
  readonly genericResources: GenericResources;
}

/** The parts of a path below `/providers`. */
interface Place {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** The last segment of a path with an odd number of segments: a collection or an action. */
  readonly rest: string | undefined;
}

const IDENTITY = "Microsoft.ManagedIdentity/userAssignedIdentities";

/**
 * Resources of the known types: a written body is returned, with the fields that the service
 * computes. Must be added after all other routes, because the path matches every resource.
 */
export function addGenericRoutes(router: Router, state: GenericState): void {
  const { authorization, genericResources } = state;
  const path = "/subscriptions/:s/resourceGroups/:group/providers/*rest";

  router.on("PUT", path, (request, parameter) => put(state, request, placeOf(state, parameter)));
  router.on("PATCH", path, (request, parameter) => {
    const place = placeOf(state, parameter);
    const before = find(state, place.id, place.type);
    const { properties, ...rest } = objectAt(request.body);
    const merged = { ...objectAt(before.body, "properties"), ...objectAt(properties) };
    const body = { ...before.body, ...rest, properties: merged };
    return put(state, { ...request, body }, place);
  });

  router.on("GET", path, ({ caller }, parameter) => {
    const { id, type, rest } = placeOf(state, parameter);
    authorization.require(caller, `${rest ? `${type}/${rest}` : type}/read`, id);
    if (rest === undefined) return { status: 200, body: answerOf(find(state, id, type)) };
    const listed = type === "" ? rest : `${type}/${rest}`;
    const value = genericResources
      .in(id)
      .filter((each) => each.type.toLowerCase() === listed.toLowerCase())
      .map(answerOf);
    return { status: 200, body: { value } };
  });

  router.on("HEAD", path, ({ caller }, parameter) => {
    const { id, type } = placeOf(state, parameter);
    authorization.require(caller, `${type}/read`, id);
    return { status: genericResources.get(id) ? 204 : 404 };
  });

  router.on("DELETE", path, ({ caller }, parameter) => {
    const { id, type } = placeOf(state, parameter);
    authorization.require(caller, `${type}/delete`, id);
    return { status: deleteGeneric(state, id).length > 0 ? 200 : 204 };
  });

  router.on("POST", path, ({ caller }, parameter) => {
    const { id, type, rest = "" } = placeOf(state, parameter);
    authorization.require(caller, `${type}/${rest}/action`, id);
    const resource = find(state, id, type);
    const action = resourceTypeOf(type)?.actions?.[rest.toLowerCase()];
    if (!action) throw resourceNotFound(`${id}/${rest}`);
    return { status: 200, body: action(resource) };
  });

  router.on("POST", "/subscriptions/:s/providers/:namespace/checkNameAvailability", () => ({
    status: 200,
    body: { nameAvailable: true, reason: null, message: null },
  }));
  // Types that can be listed by subscription too.
  router.on("GET", "/subscriptions/:s/providers/:namespace/:type", ({ caller }, parameter) => {
    const listed = `${parameter("namespace")}/${parameter("type")}`;
    if (!resourceTypeOf(listed)) throw resourceNotFound(`/providers/${listed}`);
    const scope = `/subscriptions/${state.subscriptionId}`;
    authorization.require(caller, `${listed}/read`, scope);
    const all = genericResources.in(scope);
    const value = all.filter(({ type }) => type.toLowerCase() === listed.toLowerCase());
    return { status: 200, body: { value: value.map(answerOf) } };
  });
}

/** Deletes a resource with its children and identities. */
export function deleteGeneric(state: GenericState, id: string): GenericResource[] {
  const { directory, genericResources, identities, roleAssignments, tenantId } = state;
  const deleted = genericResources.delete(id);
  for (const each of deleted) {
    identities.remove(each.id);
    roleAssignments.deleteWithin(each.id);
    const principalId = textAt(each.body, "properties", "principalId");
    if (each.type === IDENTITY && principalId !== undefined) {
      directory.tenant(tenantId)?.deleteServicePrincipal(principalId);
    }
  }
  return deleted;
}

function put(state: GenericState, { caller, body }: ApiRequest, place: Place) {
  const { id, name, type } = place;
  state.authorization.require(caller, `${type}/write`, id);
  state.registrations.require(type.split("/")[0] ?? "");
  const written = isObject(body) ? body : {};
  const identity = state.identities.assign({ id, name }, field(written, "identity"));
  const location = textAt(written, "location")?.toLowerCase().replaceAll(" ", "");
  const before = state.genericResources.get(id);
  const resource = {
    id,
    name,
    type,
    location: location ?? before?.location ?? "westeurope",
    body: {
      ...written,
      ...(identity ? { identity } : {}),
      properties: { ...objectAt(written, "properties"), ...userIdentity(state, place, before) },
    },
  };
  const isNew = state.genericResources.put(resource);
  // Storage answers 200 also for a new account, and az accepts nothing else.
  const created = type === "Microsoft.Storage/storageAccounts" ? 200 : 201;
  return { status: isNew ? created : 200, body: answerOf(resource) };
}

/** A user-assigned identity is a service principal of the directory. */
function userIdentity(
  { directory, tenantId }: GenericState,
  { id, name, type }: Place,
  before: GenericResource | undefined,
) {
  if (type !== IDENTITY) return {};
  if (before) {
    const { principalId, clientId } = objectAt(before.body, "properties");
    return { tenantId, principalId, clientId };
  }
  const principals = directory.tenant(tenantId)?.servicePrincipals;
  const principal = principals?.createManagedIdentity({ id, name });
  return { tenantId, principalId: principal?.objectId, clientId: principal?.clientId };
}

function find({ genericResources }: GenericState, id: string, type: string): GenericResource {
  return genericResources.get(id) ?? defaultChild(genericResources, id, type);
}

/** A child that exists with its parent, for example the blob service of a storage account. */
function defaultChild(resources: GenericResources, id: string, type: string): GenericResource {
  const segments = id.split("/");
  const parent = resources.get(segments.slice(0, -2).join("/"));
  const child = segments.slice(-2).join("/");
  const defaults = Object.entries(parent ? (resourceTypeOf(parent.type)?.defaults ?? {}) : {});
  const found = defaults.find(([name]) => name.toLowerCase() === child.toLowerCase());
  if (!parent || !found) throw resourceNotFound(id);
  const { location } = parent;
  return { id, type, location, name: segments.at(-1) ?? "", body: { properties: found[1] } };
}

function placeOf({ subscriptionId }: GenericState, parameter: PathParameters): Place {
  const [, namespace = "", ...segments] = parameter("rest").split("/");
  const isItem = segments.length % 2 === 0;
  const rest = isItem ? undefined : segments.at(-1);
  const own = isItem ? segments : segments.slice(0, -1);
  const types = own.filter((_, index) => index % 2 === 0);
  const requested = [namespace, ...types].join("/");
  const known = resourceTypeOf(requested)?.type ?? canonicalCase(requested);
  if (own.length > 0 && known === undefined) {
    throw new ServiceError(
      404,
      "InvalidResourceType",
      `The resource type '${types.join("/")}' could not be found in the namespace '${namespace}' of the local Azure.`,
    );
  }
  const group = `/subscriptions/${subscriptionId}/resourceGroups/${parameter("group")}`;
  const id = own.length === 0 ? group : `${group}/providers/${namespace}/${own.join("/")}`;
  return {
    id,
    name: own.at(-1) ?? "",
    type: own.length === 0 ? "" : (known ?? ""),
    rest: own.length === 0 && rest ? `${namespace}/${rest}` : rest,
  };
}

/** Children of known types may have any type. */
function canonicalCase(type: string): string | undefined {
  const parent = resourceTypes.find((each) => scopeKey(type).startsWith(`${scopeKey(each.type)}/`));
  return parent && `${parent.type}${type.slice(parent.type.length)}`;
}

function answerOf(resource: GenericResource) {
  const { id, name, type, location, body } = resource;
  const computed = resourceTypeOf(type)?.properties?.(resource) ?? {};
  const isChild = type.split("/").length > 2;
  return {
    ...body,
    id,
    name,
    type,
    ...(isChild ? {} : { location, tags: body.tags ?? {} }),
    properties: {
      ...computed,
      ...objectAt(body, "properties"),
      ...pickConfiguration(computed),
      provisioningState: "Succeeded",
    },
    systemData: { createdAt: "2026-01-01T00:00:00Z" },
    etag: `W/"${stableUuid(id)}"`,
  };
}

/** Computed configuration replaces the written one, which may contain secrets. */
function pickConfiguration(computed: Readonly<Record<string, unknown>>) {
  return "configuration" in computed ? { configuration: computed.configuration } : {};
}
