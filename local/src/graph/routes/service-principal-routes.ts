import type { Router } from "../../api/index.js";
import { textAt } from "../../base/index.js";
import type { Tenant } from "../../directory/index.js";
import { attributesAfter, findServicePrincipal, servicePrincipalAnswer } from "../bodies/index.js";
import { badRequest } from "../graph-errors.js";
import type { Permissions } from "../permissions.js";
import { listAnswer, type Relationships, selected } from "../query.js";
import { assignmentsAnswer } from "./app-role-assignment-routes.js";
import { addOwnerRoutes, ownersAnswer, ownersIn } from "./owner-routes.js";

/** Service principals and their owners; `beta` answers as `v1.0` does. */
export function addServicePrincipalRoutes(router: Router, permissions: Permissions): void {
  const path = "/:version/servicePrincipals";

  const relationshipsIn = (tenant: Tenant): Relationships => ({
    owners: (objectId) => ownersAnswer(tenant, findServicePrincipal(tenant, objectId)),
    appRoleAssignedTo: (objectId) => assignmentsAnswer(tenant, "resourceId", objectId),
    appRoleAssignments: (objectId) => assignmentsAnswer(tenant, "principalId", objectId),
  });

  router.on("GET", path, ({ caller, query, origin, path: requested }) => {
    const tenant = permissions.toRead(caller);
    const all = tenant.servicePrincipals.list().map((each) => servicePrincipalAnswer(tenant, each));
    const body = listAnswer(all, query, `${origin}${requested}`, relationshipsIn(tenant));
    return { status: 200, body };
  });
  router.on("POST", path, ({ caller, body }) => {
    permissions.toCreate(caller);
    const clientId = textAt(body, "appId");
    if (clientId === undefined) throw badRequest("A value is required for property 'appId'.");
    const application = permissions.toRead(caller).applications.byClientId(clientId);
    const tenant = permissions.toChange(caller, application?.owners ?? new Set());
    const owners = ownersIn(body);
    if (permissions.ownsOnly(caller)) owners.push(caller.objectId);
    const attributes = attributesAfter({}, body);
    const principal = tenant.servicePrincipals.create({ clientId, owners, attributes });
    return { status: 201, body: servicePrincipalAnswer(tenant, principal) };
  });
  router.on("GET", `${path}/:id`, ({ caller, query }, parameter) => {
    const tenant = permissions.toRead(caller);
    const principal = findServicePrincipal(tenant, parameter("id"));
    const answer = servicePrincipalAnswer(tenant, principal);
    return { status: 200, body: selected(answer, query, relationshipsIn(tenant)) };
  });
  router.on("PATCH", `${path}/:id`, ({ caller, body }, parameter) => {
    const principal = findServicePrincipal(permissions.toRead(caller), parameter("id"));
    permissions.toChange(caller, principal.owners);
    principal.attributes = attributesAfter(principal.attributes, body);
    return { status: 204 };
  });
  router.on("DELETE", `${path}/:id`, ({ caller }, parameter) => {
    const principal = findServicePrincipal(permissions.toRead(caller), parameter("id"));
    permissions.toChange(caller, principal.owners).deleteServicePrincipal(principal.objectId);
    return { status: 204 };
  });
  addOwnerRoutes(router, "servicePrincipals", permissions, findServicePrincipal);
}
