import type { ApiService } from "../control-plane/api-route.js";
import { Router } from "../control-plane/router.js";
import type { Directory } from "../directory/index.js";
import { ServiceError } from "../errors.js";
import { addAppRoleAssignmentRoutes } from "./app-role-assignment-routes.js";
import { addApplicationRoutes } from "./application-routes.js";
import { Permissions } from "./permissions.js";
import { addServicePrincipalRoutes } from "./service-principal-routes.js";

/** Microsoft Graph, as far as applications, service principals and app roles go. */
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
