import { type ApiRequest, type ApiResponse, type PathParameters, Router } from "../api/index.js";
import { ServiceError, sameText } from "../base/index.js";
import type { Directory, Tenant } from "../directory/index.js";
import type { Method } from "../http/index.js";
import { enveloped } from "./envelope.js";
import { badRequest, notFound } from "./graph-errors.js";
import { Permissions } from "./permissions.js";

/** A request of a caller that may read the directory. */
export interface GraphRequest extends ApiRequest {
  readonly parameter: PathParameters;
  /** The caller's tenant. */
  readonly tenant: Tenant;
  readonly permissions: Permissions;
}

const BY_APP_ID = /\/(applications|servicePrincipals)\((?:appId|uniqueName)='([^']+)'\)/i;

/**
 * Objects are found by their IDs in both forms of OData, `applications/ID` and `applications('ID')`;
 * applications and service principals by client ID too: `applications(appId='…')`.
 */
export class GraphRouter extends Router {
  constructor(private readonly directory: Directory) {
    super();
  }

  /** Adds a handler for callers that may read. Its path is below the version. */
  serve(method: Method, path: string, handler: (request: GraphRequest) => ApiResponse): void {
    this.on(method, `/:version/${path}`, (request, parameter) => {
      const tenant = this.directory.tenant(request.caller.tenantId);
      const permissions = new Permissions(request.caller, tenant);
      permissions.requireRead();
      if (!tenant) throw notFound(request.caller.tenantId);
      return handler({ ...request, parameter, tenant, permissions });
    });
  }

  /** As `serve`, for GET requests: adds a function that returns the body. */
  read(path: string, bodyOf: (request: GraphRequest) => unknown): void {
    this.serve("GET", path, (request) => ({ status: 200, body: bodyOf(request) }));
  }

  override async handle(request: ApiRequest): Promise<ApiResponse> {
    const path = request.path
      .replace(/%2[4789]/g, decodeURIComponent) // $ ' ( )
      .replace(/\('([^']+)'\)/g, "/$1");
    const [whole, collection, clientId] = BY_APP_ID.exec(path) ?? [];
    if (whole === undefined || clientId === undefined) return this.#answer({ ...request, path });
    const tenant = this.directory.tenant(request.caller.tenantId);
    // Before it says whether there is such an application.
    new Permissions(request.caller, tenant).requireRead();
    const found = sameText(collection, "applications")
      ? tenant?.applications.byClientId(clientId)
      : tenant?.servicePrincipals.byClientId(clientId);
    if (!found) throw notFound(clientId);
    return this.#answer({
      ...request,
      path: path.replace(whole, `/${collection}/${found.objectId}`),
    });
  }

  async #answer(request: ApiRequest): Promise<ApiResponse> {
    const response = await super.handle(request);
    if (response) return enveloped(request, response);
    if (this.serves(request.path)) {
      const message = "Specified HTTP method is not allowed for the request target.";
      throw new ServiceError(405, "Request_BadRequest", message);
    }
    throw badRequest(
      `Resource not found for the segment '${this.#unknownSegment(request.path)}'. The local Graph does not serve it.`,
      "BadRequest",
    );
  }

  /** The first segment of a path after what is served. */
  #unknownSegment(path: string): string | undefined {
    const [, version, ...segments] = path.split("/");
    const served = segments.findLastIndex((_, at) =>
      this.serves(["", version, ...segments.slice(0, at + 1)].join("/")),
    );
    return segments[served + 1];
  }
}
