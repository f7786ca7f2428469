import type { ApiRequest, Caller, PathParameters, Router } from "../api/index.js";
import type { Tenant } from "../directory/index.js";
import { notFound } from "./graph-errors.js";
import type { Permissions } from "./permissions.js";
import { listAnswer, type Relationships, selected } from "./query.js";

/** Objects of one kind, such as applications, and what requests may do with them. */
export interface ObjectSet<T> {
  /** Below the version, for example `applications`. */
  readonly path: string;
  /** Name of the path parameter that names one object. @default id */
  readonly key?: string;
  readonly list: (tenant: Tenant, parameter: PathParameters) => readonly T[];
  /** Whether the path parameter names the object. */
  readonly matches: (object: T, id: string) => boolean;
  /** The object as Graph shows it. */
  readonly answer: (tenant: Tenant, object: T) => object;
  /** What `$expand` can add. */
  readonly relationshipsIn?: (tenant: Tenant) => Relationships;
  /** The tenant of a caller that may change the object. @throws ServiceError 403 */
  readonly toChange: (caller: Caller, object: T) => Tenant;
  /** Creates an object, and returns it as the response shows it. */
  readonly create: (request: ApiRequest, parameter: PathParameters) => object;
  /** Applies the body of a PATCH. Without it, there is none. */
  readonly change?: (tenant: Tenant, object: T, body: unknown) => void;
  readonly remove: (tenant: Tenant, object: T) => void;
}

/** Lists, reads, creates, changes and deletes the objects of a set. */
export function addObjectSet<T>(router: Router, permissions: Permissions, set: ObjectSet<T>): void {
  const { key = "id", list, answer, relationshipsIn, toChange, create, change, remove } = set;
  const path = `/:version/${set.path}`;
  const one = `${path}/:${key}`;
  const find = (tenant: Tenant, parameter: PathParameters) => {
    const id = parameter(key);
    const found = list(tenant, parameter).find((each) => set.matches(each, id));
    if (found) return found;
    throw notFound(id);
  };

  router.get(path, (request, parameter) => {
    const tenant = permissions.toRead(request.caller);
    const all = list(tenant, parameter).map((each) => answer(tenant, each));
    return listAnswer(all, request, relationshipsIn?.(tenant));
  });
  router.on("POST", path, (request, parameter) => ({
    status: 201,
    body: create(request, parameter),
  }));
  router.get(one, ({ caller, query }, parameter) => {
    const tenant = permissions.toRead(caller);
    const found = answer(tenant, find(tenant, parameter));
    return selected(found, query, relationshipsIn?.(tenant));
  });
  if (change) {
    router.on("PATCH", one, ({ caller, body }, parameter) => {
      const object = find(permissions.toRead(caller), parameter);
      change(toChange(caller, object), object, body);
      return { status: 204 };
    });
  }
  router.on("DELETE", one, ({ caller }, parameter) => {
    const object = find(permissions.toRead(caller), parameter);
    remove(toChange(caller, object), object);
    return { status: 204 };
  });
}
