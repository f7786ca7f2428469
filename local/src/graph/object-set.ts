import { asText, groupsOf, listAt } from "../base/index.js";
import type { Tenant } from "../directory/index.js";
import { badRequest, notFound, requiredText } from "./graph-errors.js";
import type { GraphRequest, GraphRouter } from "./graph-router.js";
import { checkProperties } from "./property-types.js";
import { type Answer, countAnswer, listAnswer, objectAnswer } from "./query.js";

/** Objects of one kind that requests may read, such as users. */
export interface ReadableSet<T> {
  /** Below the version, for example `applications`. */
  readonly path: string;
  /** Name of the path parameter that names one object. @default id */
  readonly key?: string;
  /** The kind of object whose properties queries and bodies may name. */
  readonly kind: string;
  readonly list: (request: GraphRequest) => readonly T[];
  /** Whether the path parameter names the object. */
  readonly matches: (object: T, id: string) => boolean;
  readonly answer: Answer<T>;
}

/** Objects of one kind, such as applications, and what requests may do with them. */
export interface ObjectSet<T> extends ReadableSet<T> {
  /** Object IDs of those who may change an object because they own it. @default nobody */
  readonly ownersOf?: (object: T) => Set<string>;
  /** Checks that the caller may change objects. @default needs the right to all, or to its own */
  readonly requireChange?: (request: GraphRequest) => void;
  /** Creates an object, and returns it as the response shows it. */
  readonly create: (request: GraphRequest) => object;
  /** Applies the body of a PATCH. Without it, there is none. */
  readonly change?: (object: T, body: unknown, tenant: Tenant) => void;
  readonly remove: (object: T, tenant: Tenant) => void;
}

/** @throws ServiceError 404 if the path names no object of the set */
export function find<T>(set: ReadableSet<T>, request: GraphRequest): T {
  const id = request.parameter(set.key ?? "id");
  const found = set.list(request).find((each) => set.matches(each, id));
  if (found) return found;
  throw notFound(id);
}

/** @throws ServiceError 404 as `find`, 403 if the caller may not change the object */
export function findToChange<T>(set: ObjectSet<T>, request: GraphRequest): T {
  const found = find(set, request);
  if (set.requireChange) set.requireChange(request);
  else request.permissions.requireChange(set.ownersOf?.(found));
  return found;
}

/** Lists and reads the objects of a set. */
export function addReadableSet<T>(router: GraphRouter, set: ReadableSet<T>): void {
  const { path, key = "id", kind, answer } = set;
  router.read(path, (request) => listAnswer(set.list(request), request, kind, answer));
  router.serve("GET", `${path}/$count`, (request) => ({
    status: 200,
    headers: { "content-type": "text/plain" },
    body: countAnswer(set.list(request), request, kind, answer),
  }));
  router.read(`${path}/:${key}`, (request) =>
    objectAnswer(find(set, request), request, kind, answer),
  );
}

/** Lists, reads, creates, changes and deletes the objects of a set. */
export function addObjectSet<T>(router: GraphRouter, set: ObjectSet<T>): void {
  const { path, kind, change } = set;
  const one = `${path}/:${set.key ?? "id"}`;

  addReadableSet(router, set);
  router.serve("POST", path, (request) => {
    const body = checkProperties(kind, request);
    return { status: 201, body: set.create({ ...request, body }) };
  });
  if (change) {
    router.serve("PATCH", one, (request) => {
      change(findToChange(set, request), checkProperties(kind, request), request.tenant);
      return { status: 204 };
    });
  }
  router.serve("DELETE", one, (request) => {
    set.remove(findToChange(set, request), request.tenant);
    return { status: 204 };
  });
}

interface Owned {
  readonly owners: Set<string>;
}

/** The owners of a set's objects. */
export function addOwnerRoutes<T extends Owned>(router: GraphRouter, set: ObjectSet<T>): void {
  const path = `${set.path}/:id/owners`;
  router.read(path, (request) => ({ value: ownersAnswer(find(set, request), request.tenant) }));
  router.serve("POST", `${path}/$ref`, (request) => {
    const { owners } = findToChange(set, request);
    const owner = objectIdIn(requiredText(request.body, "@odata.id"), request.tenant);
    if (owners.has(owner)) {
      throw badRequest(
        "One or more added object references already exist for the following modified properties: 'owners'.",
      );
    }
    owners.add(owner);
    return { status: 204 };
  });
  router.serve("DELETE", `${path}/:owner/$ref`, (request) => {
    const owner = request.parameter("owner");
    if (!findToChange(set, request).owners.delete(owner.toLowerCase())) throw notFound(owner);
    return { status: 204 };
  });
}

/** The owners of a new object: those in the body, and a caller that may change only what it owns. */
export function newOwners({ body, caller, permissions, tenant }: GraphRequest): string[] {
  const references = listAt(body, "owners@odata.bind");
  const owners = references.map((reference) => objectIdIn(asText(reference), tenant));
  return permissions.changesOwnedOnly ? [...owners, caller.objectId] : owners;
}

/** The owners of an object, as Graph shows them. */
function ownersAnswer({ owners }: Owned, tenant: Tenant): object[] {
  return [...owners].map((id) => ({
    "@odata.type": `#microsoft.graph.${kindOf(tenant, id)}`,
    id,
  }));
}

function kindOf(tenant: Tenant, objectId: string): string {
  const type = tenant.assignee(objectId)?.type ?? "ServicePrincipal";
  return type.charAt(0).toLowerCase() + type.slice(1);
}

/**
 * The ID in a URL that ends in `directoryObjects/ID` or `directoryObjects('ID')`.
 *
 * @throws ServiceError 404 if the tenant does not have the object
 */
function objectIdIn(reference: string, tenant: Tenant): string {
  const id = groupsOf(/([^/']*)(?:'\))?$/, reference)[0].toLowerCase();
  if (tenant.assignee(id)) return id;
  throw notFound(id);
}
