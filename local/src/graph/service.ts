import { type ApiRequest, type ApiResponse, type ApiService, Router } from "../api/index.js";
import { field, isObject, listAt, ServiceError, textAt } from "../base/index.js";
import type { Directory } from "../directory/index.js";
import { addPasswordRoutes, applications, findApplication } from "./applications.js";
import { addDeletedItemRoutes } from "./deleted-items.js";
import { addDirectoryObjectRoutes, usersOrGroups } from "./directory-objects.js";
import { enveloped } from "./envelope.js";
import { federatedCredentials } from "./federated-credentials.js";
import { notFound } from "./graph-errors.js";
import { addObjectSet } from "./object-set.js";
import { addOwnerRoutes } from "./owners.js";
import { Permissions } from "./permissions.js";
import {
  appRoleAssignments,
  findServicePrincipal,
  servicePrincipals,
} from "./service-principals.js";

/** Microsoft Graph for applications, service principals, app roles, users and groups. */
export function graphService(directory: Directory): ApiService {
  const router = new GraphRouter(directory);
  const permissions = new Permissions(directory);
  addObjectSet(router, permissions, applications(permissions));
  addPasswordRoutes(router, permissions);
  addObjectSet(router, permissions, federatedCredentials(permissions, findApplication));
  addOwnerRoutes(router, "applications", permissions, findApplication);
  addObjectSet(router, permissions, servicePrincipals(permissions));
  addOwnerRoutes(router, "servicePrincipals", permissions, findServicePrincipal);
  addObjectSet(router, permissions, appRoleAssignments(permissions, "appRoleAssignedTo"));
  addObjectSet(router, permissions, appRoleAssignments(permissions, "appRoleAssignments"));
  addObjectSet(router, permissions, usersOrGroups(permissions, "User"));
  addObjectSet(router, permissions, usersOrGroups(permissions, "Group"));
  addDirectoryObjectRoutes(router, permissions);
  addDeletedItemRoutes(router, permissions);
  addBatchRoute(router);
  return {
    roots: ["v1.0", "beta"],
    router,
    name: "Graph",
    codes: {
      unauthenticated: "InvalidAuthenticationToken",
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

/** Requests of one body, each answered as if it came alone. */
function addBatchRoute(router: Router): void {
  router.on("POST", "/:version/$batch", async (request, parameter) => {
    const responses = await Promise.all(
      listAt(request.body, "requests").map(async (each) => {
        const url = new URL(`/${parameter("version")}${textAt(each, "url") ?? ""}`, request.origin);
        const single = {
          ...request,
          method: textAt(each, "method") ?? "GET",
          path: url.pathname,
          query: url.searchParams,
          body: isObject(each) ? each.body : undefined,
        };
        const { status, body } = await router
          .handle(single)
          .then((found) => found ?? errorAnswer(notFound(`${single.method} ${single.path}`)))
          .catch(errorAnswer);
        return { id: textAt(each, "id"), status, headers: {}, body };
      }),
    );
    return { status: 200, body: { responses } };
  });
}

function errorAnswer(error: unknown) {
  if (!(error instanceof ServiceError)) throw error;
  return {
    status: error.status,
    body: { error: { code: error.serviceCode, message: error.message } },
  };
}
