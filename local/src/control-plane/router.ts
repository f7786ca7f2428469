import type { Caller } from "./caller.js";

/** A request to one of the cloud's management services, read and authenticated. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The parsed JSON body; `undefined` when there was none. */
  readonly body: unknown;
  /** Scheme and host that the client used: absolute links in answers start with it. */
  readonly origin: string;
  readonly caller: Caller;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Written as JSON; left out for an empty body. */
  readonly body?: unknown;
}

/** What stood in the path at the pattern's names, percent-decoded. */
export type PathParameters = (name: string) => string;

export type ApiHandler = (
  request: ApiRequest,
  parameter: PathParameters,
) => ApiAnswer | Promise<ApiAnswer>;

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly handler: ApiHandler;
}

/**
 * Handlers by method and path. In a pattern `:name` is one segment, `*name` any number of them, and
 * letters match in either case, as Azure's resource IDs do.
 */
export class Router {
  readonly #routes: Route[] = [];

  on(method: string, pattern: string, handler: ApiHandler): this {
    this.#routes.push({ method, pattern: compile(pattern), handler });
    return this;
  }

  /** The handler's answer; `undefined` when no pattern fits the path. */
  async handle(request: ApiRequest): Promise<ApiAnswer | undefined> {
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

/** A path that is not encoded well names nothing that exists: it is taken as it came. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
