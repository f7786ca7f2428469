import type { ApiService } from "../api/index.js";
import { Router } from "../api/index.js";
import { ServiceError } from "../base/index.js";
import type { Directory } from "../directory/index.js";
import { addAppRoleAssignmentRoutes } from "./app-role-assignment-routes.js";
import { addApplicationRoutes } from "./application-routes.js";
import { Permissions } from "./permissions.js";
import { addServicePrincipalRoutes } from "./service-principal-routes.js";

/** Microsoft Graph for applications, service principals and app roles. */
export function graphService(directory: Directory): ApiService {
  const router = new Router();
  const permissions = new Permissions(directory);
  addApplicationRoutes(router, permissions);
  addServicePrincipalRoutes(router, permissions);
  addAppRoleAssignmentRoutes(router, permissions);
  return {
    roots: ["v1.0", "beta"],
    router,
    unauthenticated: (reason) => new ServiceError(401, "InvalidAuthenticationToken", reason),
    unknownRoute: (method, path) =>
      new ServiceError(
        404,
        "Request_ResourceNotFound",
        `The local Graph does not serve ${method} ${path}.`,
      ),
  };
}
