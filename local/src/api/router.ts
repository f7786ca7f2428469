import type { IncomingHttpHeaders } from "node:http";
import { invalidRequest } from "../base/index.js";

/** The caller of a management service, read from its bearer token. */
export interface Caller {
  readonly tenantId: string;
  /** Object ID of the service principal. */
  readonly objectId: string;
  readonly clientId: string;
}

/** An authenticated request to a management service. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** With lower-case names. */
  readonly headers: IncomingHttpHeaders;
  /** The parsed JSON body; `undefined` if it is empty. */
  readonly body: unknown;
  /** Scheme and host that the client used, for absolute links in responses. */
  readonly origin: string;
  readonly caller: Caller;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. @default an empty body */
  readonly body?: unknown;
}

/** The path's value for a name in the pattern, percent-decoded. */
export type PathParameters = (name: string) => string;

export type ApiHandler = (
  request: ApiRequest,
  parameter: PathParameters,
) => ApiResponse | Promise<ApiResponse>;

interface Route {
  readonly method: string;
  readonly path: string;
  readonly pattern: RegExp;
  readonly handler: ApiHandler;
  readonly isRefused?: boolean;
}

/**
 * Handlers by method and path. In a pattern `:name` matches one segment and `*name` any number of
 * segments. Case is ignored, as in Azure's resource IDs.
 */
export class Router {
  readonly #routes: Route[] = [];

  on(method: string, pattern: string, handler: ApiHandler): this {
    this.#routes.push({ method, path: pattern, pattern: compile(pattern), handler });
    return this;
  }

  /**
   * Answers 400 to an operation that Azure has and this cloud has not.
   *
   * @param what the subject of the message, for example `what-if of deployments`
   */
  refuse(method: string, pattern: string, what: string): this {
    const handler = () => {
      throw invalidRequest(`The local Azure does not support ${what}.`);
    };
    this.#routes.push({
      method,
      path: pattern,
      pattern: compile(pattern),
      handler,
      isRefused: true,
    });
    return this;
  }

  /** Methods and patterns, for the documentation. */
  operations(): { method: string; path: string }[] {
    const served = this.#routes.filter(({ isRefused }) => !isRefused);
    return served.map(({ method, path }) => ({ method, path }));
  }

  /** The handler's response; `undefined` if no pattern matches. */
  async handle(request: ApiRequest): Promise<ApiResponse | undefined> {
    // Some clients encode the `$` of `$ref`.
    const path = request.path.replaceAll("%24", "$");
    for (const route of this.#routes) {
      if (route.method !== request.method) continue;
      const match = route.pattern.exec(path);
      if (!match) continue;
      return route.handler(request, (name) => decoded(match.groups?.[name] ?? ""));
    }
    return undefined;
  }
}

function compile(pattern: string): RegExp {
  const source = pattern
    .split("/")
    .slice(1)
    .map((segment) => {
      if (segment.startsWith("*")) return `(?<${segment.slice(1)}>(?:/[^/]+)*)`;
      if (segment.startsWith(":")) return `/(?<${segment.slice(1)}>[^/]+)`;
      return `/${segment.replace(/[.$()]/g, "\\$&")}`;
    })
    .join("");
  return new RegExp(`^${source}/?$`, "i");
}

/** A segment with invalid percent-encoding is used unchanged: nothing has such a name. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
