import { type ApiRequest, type ApiResponse, type ApiService, Router } from "../api/index.js";
import { field, ServiceError } from "../base/index.js";
import type { Directory } from "../directory/index.js";
import { enveloped } from "./envelope.js";
import { notFound } from "./graph-errors.js";
import { Permissions } from "./permissions.js";
import {
  addApplicationRoutes,
  addAppRoleAssignmentRoutes,
  addBatchRoute,
  addDeletedItemRoutes,
  addDirectoryObjectRoutes,
  addServicePrincipalRoutes,
} from "./routes/index.js";

/** Microsoft Graph for applications, service principals, app roles, users and groups. */
export function graphService(directory: Directory): ApiService {
  const router = new GraphRouter(directory);
  const permissions = new Permissions(directory);
  addApplicationRoutes(router, permissions);
  addServicePrincipalRoutes(router, permissions);
  addAppRoleAssignmentRoutes(router, permissions);
  addDirectoryObjectRoutes(router, permissions);
  addDeletedItemRoutes(router, permissions);
  addBatchRoute(router, (request) => router.handle(request));
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
    errorFields: (requestId) => ({
      innerError: {
        date: new Date().toISOString().slice(0, 19),
        "request-id": requestId,
        "client-request-id": requestId,
      },
    }),
  };
}

const BY_APP_ID = /\/(applications|servicePrincipals)\((?:appId|uniqueName)='([^']+)'\)/i;

/** Applications and service principals are found by client ID too: `applications(appId='…')`. */
class GraphRouter extends Router {
  constructor(private readonly directory: Directory) {
    super();
  }

  override async handle(request: ApiRequest): Promise<ApiResponse | undefined> {
    const path = request.path.replace(/%2[4789]/g, decodeURIComponent); // $ ' ( )
    const counted = /^(.+)\/\$count$/.exec(path)?.[1];
    if (counted !== undefined && request.method === "GET") return this.#count(request, counted);
    const [whole, collection = "", clientId = ""] = BY_APP_ID.exec(path) ?? [];
    if (whole === undefined) return this.#answer(request);
    const tenant = this.directory.tenant(request.caller.tenantId);
    const found = /^applications$/i.test(collection)
      ? tenant?.applications.byClientId(clientId)
      : tenant?.servicePrincipals.byClientId(clientId);
    if (!found) throw notFound(clientId);
    return this.#answer({
      ...request,
      path: path.replace(whole, `/${collection}/${found.objectId}`),
    });
  }

  async #answer(request: ApiRequest): Promise<ApiResponse | undefined> {
    const response = await super.handle(request);
    return response && enveloped(request, response);
  }

  /** `applications/$count` answers the number of a list's resources as plain text. */
  async #count(request: ApiRequest, path: string): Promise<ApiResponse | undefined> {
    const query = new URLSearchParams(request.query);
    query.set("$count", "true");
    const answer = await this.handle({ ...request, path, query });
    const count = field(answer?.body, "@odata.count");
    if (count === undefined) return undefined;
    return { status: 200, headers: { "content-type": "text/plain" }, body: count };
  }
}
