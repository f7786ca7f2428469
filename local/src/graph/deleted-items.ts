import type { Caller, Router } from "../api/index.js";
import type { Application, Deleted, ServicePrincipal, Tenant } from "../directory/index.js";
import { applicationAnswer } from "./applications.js";
import { notFound } from "./graph-errors.js";
import type { Permissions } from "./permissions.js";
import { listAnswer, selected } from "./query.js";
import { servicePrincipalAnswer } from "./service-principals.js";

type Item = Application | ServicePrincipal;

/**
 * Deleted applications and service principals. Users and groups are deleted for good.
 *
 * @see https://learn.microsoft.com/graph/api/resources/directory
 */
export function addDeletedItemRoutes(router: Router, permissions: Permissions): void {
  const path = "/:version/directory/deletedItems";
  const find = ({ applications, servicePrincipals }: Tenant, objectId: string): Deleted<Item> => {
    const deleted = applications.deleted.get(objectId) ?? servicePrincipals.deleted.get(objectId);
    if (deleted) return deleted;
    throw notFound(objectId);
  };
  const toChange = (caller: Caller, objectId: string) => {
    const { object } = find(permissions.toRead(caller), objectId);
    return permissions.toChange(caller, object.owners);
  };

  for (const [type, collection] of [
    ["application", "applications"],
    ["servicePrincipal", "servicePrincipals"],
  ] as const) {
    router.get(`${path}/microsoft.graph.${type}`, (request) => {
      const tenant = permissions.toRead(request.caller);
      const all: readonly Deleted<Item>[] = tenant[collection].deleted.list();
      return listAnswer(
        all.map((each) => deletedAnswer(tenant, each)),
        request,
      );
    });
  }
  router.get(`${path}/:id`, ({ caller, query }, parameter) => {
    const tenant = permissions.toRead(caller);
    return selected(deletedAnswer(tenant, find(tenant, parameter("id"))), query);
  });
  // An application returns without its service principal, which has a request of its own.
  router.on("POST", `${path}/:id/restore`, ({ caller }, parameter) => {
    const id = parameter("id");
    const tenant = toChange(caller, id);
    const restored = tenant.applications.undelete(id) ?? tenant.undeleteServicePrincipal(id);
    if (!restored) throw notFound(id);
    return { status: 200, body: answerOf(tenant, restored) };
  });
  router.on("DELETE", `${path}/:id`, ({ caller }, parameter) => {
    toChange(caller, parameter("id")).deletePermanently(parameter("id"));
    return { status: 204 };
  });
}

function deletedAnswer(tenant: Tenant, { object, deletedDateTime }: Deleted<Item>): object {
  return { ...answerOf(tenant, object), deletedDateTime };
}

function answerOf(tenant: Tenant, object: Item): object {
  return "passwords" in object ? applicationAnswer(object) : servicePrincipalAnswer(tenant, object);
}
