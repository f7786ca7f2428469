import type { ApiService } from "../api/index.js";
import { asText, listAt, textOrEmpty } from "../base/index.js";
import type { Directory, Tenant } from "../directory/index.js";
import { badRequest, notFound } from "./graph-errors.js";
import { GraphRouter } from "./graph-router.js";
import { addObjectSet, addOwnerRoutes, addReadableSet } from "./object-set.js";
import {
  addPasswordRoutes,
  applicationAnswer,
  applications,
  appRoleAssignments,
  DOMAIN,
  domains,
  federatedCredentials,
  groups,
  servicePrincipalAnswer,
  servicePrincipals,
  userOrGroupAnswer,
  users,
} from "./objects/index.js";
import { objectAnswer } from "./query.js";

/** Microsoft Graph for applications, service principals, app roles, users and groups. */
export function graphService(directory: Directory): ApiService {
  const router = new GraphRouter(directory);
  addObjectSet(router, applications);
  addPasswordRoutes(router, applications);
  addPasswordRoutes(router, servicePrincipals);
  addObjectSet(router, federatedCredentials);
  addOwnerRoutes(router, applications);
  addObjectSet(router, servicePrincipals);
  addOwnerRoutes(router, servicePrincipals);
  addObjectSet(router, appRoleAssignments("appRoleAssignedTo"));
  addObjectSet(router, appRoleAssignments("appRoleAssignments"));
  addReadableSet(router, users);
  addObjectSet(router, groups);
  addReadableSet(router, domains);
  addDirectoryRoutes(router);
  return {
    roots: ["v1.0", "beta"],
    router,
    name: "Graph",
    codes: {
      missingToken: "InvalidAuthenticationToken",
      invalidToken: "InvalidAuthenticationToken",
      expiredToken: "InvalidAuthenticationToken",
      wrongAudience: "InvalidAuthenticationToken",
      unknownRoute: "Request_ResourceNotFound",
    },
    errorFields: (requestId) => ({
      innerError: {
        date: new Date().toISOString().slice(0, 19),
        "request-id": requestId,
        "client-request-id": requestId,
      },
    }),
  };
}

/** Objects of any kind by their IDs, and the organization. */
function addDirectoryRoutes(router: GraphRouter): void {
  router.read("directoryObjects/:id", (request) => {
    const id = request.parameter("id");
    const found = objectOf(request.tenant, id);
    if (!found) throw notFound(id);
    const kind = textOrEmpty(found, "@odata.type").replace(/.*\.(.)/, (_, start) =>
      start.toUpperCase(),
    );
    return objectAnswer(found, request, kind, (object) => object);
  });
  router.serve("POST", "directoryObjects/getByIds", ({ tenant, body }) => {
    if (listAt(body, "ids").length === 0) throw badRequest("Property ids needs at least one ID.");
    const value = listAt(body, "ids").flatMap((id) => objectOf(tenant, asText(id)) ?? []);
    return { status: 200, body: { value } };
  });
  router.read("organization", ({ tenant: { id } }) => {
    const verifiedDomains = [{ name: DOMAIN, isDefault: true, isInitial: true, type: "Managed" }];
    return { value: [{ id, displayName: "Local directory", verifiedDomains }] };
  });
}

function objectOf(tenant: Tenant, objectId: string): object | undefined {
  const principal = tenant.servicePrincipals.get(objectId);
  if (principal) return servicePrincipalAnswer(principal, tenant);
  const application = tenant.applications.get(objectId);
  if (application) return applicationAnswer(application);
  const userOrGroup = tenant.usersAndGroups.get(objectId.toLowerCase());
  return userOrGroup && userOrGroupAnswer(objectId.toLowerCase(), userOrGroup);
}
