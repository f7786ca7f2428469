import { type ApiRequest, type ApiResponse, type PathParameters, Router } from "../api/index.js";
import { field, isObject, listAt, ServiceError, textAt } from "../base/index.js";
import type { Directory, Tenant } from "../directory/index.js";
import { enveloped } from "./envelope.js";
import { notFound } from "./graph-errors.js";
import { Permissions } from "./permissions.js";

/** A request of a caller that may read the directory. */
export interface GraphRequest extends ApiRequest {
  readonly parameter: PathParameters;
  /** The caller's tenant. */
  readonly tenant: Tenant;
  readonly permissions: Permissions;
}

const BY_APP_ID = /\/(applications|servicePrincipals)\((?:appId|uniqueName)='([^']+)'\)/i;

/** Applications and service principals are found by client ID too: `applications(appId='…')`. */
export class GraphRouter extends Router {
  constructor(private readonly directory: Directory) {
    super();
    this.on("POST", "/:version/$batch", async (request, parameter) => ({
      status: 200,
      body: { responses: await this.#batch(request, parameter("version")) },
    }));
  }

  /** Adds a handler for callers that may read. Its path is below the version. */
  serve(method: string, path: string, handler: (request: GraphRequest) => ApiResponse): void {
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

  override async handle(request: ApiRequest): Promise<ApiResponse | undefined> {
    const path = request.path.replace(/%2[4789]/g, decodeURIComponent); // $ ' ( )
    const counted = /^(.+)\/\$count$/.exec(path)?.[1];
    if (counted !== undefined && request.method === "GET") return this.#count(request, counted);
    const [whole, collection = "", clientId = ""] = BY_APP_ID.exec(path) ?? [];
    if (whole === undefined) return this.#answer(request);
    const tenant = this.directory.tenant(request.caller.tenantId);
    // Before it says whether there is such an application.
    new Permissions(request.caller, tenant).requireRead();
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

  /** Requests of one body, each answered as if it came alone. */
  #batch(request: ApiRequest, version: string): Promise<object[]> {
    return Promise.all(
      listAt(request.body, "requests").map(async (each) => {
        const url = new URL(`/${version}${textAt(each, "url") ?? ""}`, request.origin);
        const single = {
          ...request,
          method: textAt(each, "method") ?? "GET",
          path: url.pathname,
          query: url.searchParams,
          body: isObject(each) ? each.body : undefined,
        };
        const { status, body } = await this.handle(single)
          .then((found) => found ?? errorAnswer(notFound(`${single.method} ${single.path}`)))
          .catch(errorAnswer);
        return { id: textAt(each, "id"), status, headers: {}, body };
      }),
    );
  }
}

function errorAnswer(error: unknown) {
  if (!(error instanceof ServiceError)) throw error;
  return {
    status: error.status,
    body: { error: { code: error.serviceCode, message: error.message } },
  };
}
