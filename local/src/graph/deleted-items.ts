import type { Application, Deleted, ServicePrincipal, Tenant } from "../directory/index.js";
import { applicationAnswer } from "./applications.js";
import { notFound } from "./graph-errors.js";
import type { GraphRequest, GraphRouter } from "./graph-router.js";
import { listAnswer, selected, type View } from "./query.js";
import { servicePrincipalAnswer } from "./service-principals.js";

type Item = Application | ServicePrincipal;

const view: View<Deleted<Item>> = {
  answer: ({ object, deletedDateTime }, tenant) => ({
    ...answerOf(object, tenant),
    deletedDateTime,
  }),
};

/**
 * Deleted applications and service principals. Users and groups are deleted for good.
 *
 * @see https://learn.microsoft.com/graph/api/resources/directory
 */
export function addDeletedItemRoutes(router: GraphRouter): void {
  const path = "directory/deletedItems";
  router.read(`${path}/microsoft.graph.application`, (request) =>
    listAnswer(request.tenant.applications.deleted(), request, view),
  );
  router.read(`${path}/microsoft.graph.servicePrincipal`, (request) =>
    listAnswer(request.tenant.servicePrincipals.deleted(), request, view),
  );
  router.read(`${path}/:id`, (request) => selected(find(request), request, view));
  // An application returns without its service principal, which has a request of its own.
  router.serve("POST", `${path}/:id/restore`, (request) => {
    const { tenant } = request;
    const id = idToChange(request);
    const restored = tenant.applications.undelete(id) ?? tenant.servicePrincipals.undelete(id);
    return { status: 200, body: restored && answerOf(restored, tenant) };
  });
  router.serve("DELETE", `${path}/:id`, (request) => {
    request.tenant.deletePermanently(idToChange(request));
    return { status: 204 };
  });
}

function find({ tenant, parameter }: GraphRequest): Deleted<Item> {
  const { applications, servicePrincipals } = tenant;
  const id = parameter("id");
  const all: Deleted<Item>[] = [...applications.deleted(), ...servicePrincipals.deleted()];
  const found = all.find(({ object }) => object.objectId === id.toLowerCase());
  if (found) return found;
  throw notFound(id);
}

function idToChange(request: GraphRequest): string {
  const { object } = find(request);
  request.permissions.requireChange(object.owners);
  return object.objectId;
}

function answerOf(object: Item, tenant: Tenant): object {
  return "passwords" in object ? applicationAnswer(object) : servicePrincipalAnswer(object, tenant);
}
