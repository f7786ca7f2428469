import type { Router } from "../../api/index.js";
import type { Application, Deleted, ServicePrincipal, Tenant } from "../../directory/index.js";
import { applicationAnswer, servicePrincipalAnswer } from "../bodies/index.js";
import { notFound } from "../graph-errors.js";
import type { Permissions } from "../permissions.js";
import { listAnswer, selected } from "../query.js";

/**
 * Deleted applications and service principals. Users and groups are deleted for good.
 *
 * @see https://learn.microsoft.com/graph/api/resources/directory
 */
export function addDeletedItemRoutes(router: Router, permissions: Permissions): void {
  const path = "/:version/directory/deletedItems";
  const ownersOf = ({ applications, servicePrincipals }: Tenant, objectId: string) => {
    const deleted = applications.deleted.get(objectId) ?? servicePrincipals.deleted.get(objectId);
    if (deleted) return deleted.object.owners;
    throw notFound(objectId);
  };

  router.on(
    "GET",
    `${path}/microsoft.graph.application`,
    ({ caller, query, origin, path: requested }) => {
      const { applications } = permissions.toRead(caller);
      const all = applications.deleted.list().map(deletedApplicationAnswer);
      return { status: 200, body: listAnswer(all, query, `${origin}${requested}`) };
    },
  );
  router.on(
    "GET",
    `${path}/microsoft.graph.servicePrincipal`,
    ({ caller, query, origin, path: requested }) => {
      const tenant = permissions.toRead(caller);
      const all = tenant.servicePrincipals.deleted
        .list()
        .map((each) => deletedPrincipalAnswer(tenant, each));
      return { status: 200, body: listAnswer(all, query, `${origin}${requested}`) };
    },
  );
  router.on("GET", `${path}/:id`, ({ caller, query }, parameter) => {
    const answer = deletedAnswer(permissions.toRead(caller), parameter("id"));
    return { status: 200, body: selected(answer, query) };
  });
  router.on("POST", `${path}/:id/restore`, ({ caller }, parameter) => {
    const objectId = parameter("id");
    const owners = ownersOf(permissions.toRead(caller), objectId);
    const tenant = permissions.toChange(caller, owners);
    return { status: 200, body: restore(tenant, objectId) };
  });
  router.on("DELETE", `${path}/:id`, ({ caller }, parameter) => {
    const objectId = parameter("id");
    const owners = ownersOf(permissions.toRead(caller), objectId);
    permissions.toChange(caller, owners).deletePermanently(objectId);
    return { status: 204 };
  });
}

/** An application returns without its service principal, which has a request of its own. */
function restore(tenant: Tenant, objectId: string): object {
  const application = tenant.applications.undelete(objectId);
  if (application) return applicationAnswer(application);
  const principal = tenant.undeleteServicePrincipal(objectId);
  if (principal) return servicePrincipalAnswer(tenant, principal);
  throw notFound(objectId);
}

function deletedAnswer(tenant: Tenant, objectId: string): object {
  const application = tenant.applications.deleted.get(objectId);
  if (application) return deletedApplicationAnswer(application);
  const principal = tenant.servicePrincipals.deleted.get(objectId);
  if (principal) return deletedPrincipalAnswer(tenant, principal);
  throw notFound(objectId);
}

function deletedApplicationAnswer({ object, deletedDateTime }: Deleted<Application>): object {
  return { ...applicationAnswer(object), deletedDateTime };
}

function deletedPrincipalAnswer(
  tenant: Tenant,
  { object, deletedDateTime }: Deleted<ServicePrincipal>,
): object {
  return { ...servicePrincipalAnswer(tenant, object), deletedDateTime };
}
