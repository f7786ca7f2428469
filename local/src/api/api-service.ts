import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { invalidRequest, ServiceError, sameText, UUID } from "../base/index.js";
import type { Directory } from "../directory/index.js";
import type { Tokens } from "../entra/index.js";
import {
  credentialsIn,
  decoded,
  type Method,
  type Route,
  readJson,
  sendEmpty,
  sendJson,
} from "../http/index.js";

/** The caller of a management service, read from its bearer token. */
export interface Caller {
  readonly tenantId: string;
  /** Object ID of the service principal. */
  readonly objectId: string;
  readonly clientId: string;
}

/** An authenticated request to a management service. */
export interface ApiRequest {
  readonly method: Method;
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

interface Operation {
  readonly method: Method;
  readonly path: string;
  readonly pattern: RegExp;
  readonly handler: ApiHandler;
  readonly isRefused: boolean;
}

const METHODS: readonly Method[] = ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"];

/**
 * Handlers by method and path. In a pattern `:name` matches one segment and `*name` any number of
 * segments. Case is ignored, as in Azure's resource IDs.
 */
export class Router {
  readonly #operations: Operation[] = [];

  on(method: Method, path: string, handler: ApiHandler, isRefused = false): this {
    this.#operations.push({ method, path, pattern: patternOf(path), handler, isRefused });
    return this;
  }

  /** Answers GET requests with what `read` returns. */
  get(path: string, read: (request: ApiRequest, parameter: PathParameters) => unknown): this {
    return this.on("GET", path, (request, parameter) => ({
      status: 200,
      body: read(request, parameter),
    }));
  }

  /** Answers 400 to every request for what Azure has and this cloud has not. */
  refuse(path: string, message: string): void {
    const handler = () => {
      throw invalidRequest(message);
    };
    for (const method of METHODS) this.on(method, path, handler, true);
  }

  /** Whether a path is served, with any method. */
  protected serves(path: string): boolean {
    return this.#operations.some(({ pattern }) => pattern.test(path));
  }

  /** Methods and patterns, for the documentation. */
  operations(): { method: Method; path: string }[] {
    const served = this.#operations.filter(({ isRefused }) => !isRefused);
    return served.map(({ method, path }) => ({ method, path }));
  }

  /** The handler's response; `undefined` if no pattern matches. */
  async handle(request: ApiRequest): Promise<ApiResponse | undefined> {
    // Some clients encode the `$` of `$ref`.
    const path = request.path.replaceAll("%24", "$");
    for (const { method, pattern, handler } of this.#operations) {
      const match = method === request.method && pattern.exec(path);
      if (match) return handler(request, (name) => decoded(match.groups?.[name] ?? ""));
    }
    return undefined;
  }
}

/** The patterns of the routes, which all clouds of a process share. */
const patterns = new Map<string, RegExp>();

function patternOf(path: string): RegExp {
  const pattern = patterns.get(path) ?? compile(path);
  patterns.set(path, pattern);
  return pattern;
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

/** The faults of a request's token. */
type TokenFault = "missingToken" | "invalidToken" | "expiredToken" | "wrongAudience";

class TokenError extends TypeError {
  constructor(
    readonly fault: TokenFault,
    message: string,
  ) {
    super(message);
  }
}

/** A management service: its paths, its handlers and its codes for the common errors. */
export interface ApiService {
  /** First path segments of the service. */
  readonly roots: readonly string[];
  readonly router: Router;
  /** For messages. */
  readonly name: string;
  readonly codes: Readonly<Record<TokenFault | "unknownRoute", string>>;
  /** Fields of errors beside code and message. */
  readonly errorFields?: (requestId: string) => Readonly<Record<string, unknown>>;
}

/** Serves a management service: 401 without a valid token, 404 for an unknown path. */
export function apiRoute(service: ApiService, authenticate: Authenticate): Route {
  return async (exchange) => {
    const { request, response, method, url, origin } = exchange;
    // Some SDKs encode a scope with its slashes.
    const path = url.pathname.replace(/%2f/gi, "/").replace(/\/\/*/g, "/");
    const [, first] = path.split("/");
    if (!service.roots.some((root) => sameText(root, first))) return false;

    // Errors have them too.
    const requestId = randomUUID();
    response.setHeader("x-ms-request-id", requestId);
    response.setHeader(CORRELATION_ID, correlationIdOf(request) ?? requestId);

    const answerOf = async () => {
      const body = await readJson(request);
      const caller = await callerOf(request, authenticate).catch((error: unknown) => {
        if (!(error instanceof TokenError)) throw error;
        throw new ServiceError(401, service.codes[error.fault], error.message);
      });
      const { searchParams: query } = url;
      const { headers } = request;
      const apiRequest = { method, path, query, headers, body, origin, caller };
      const answer = await service.router.handle(apiRequest);
      if (answer) return answer;
      const message = `The local ${service.name} does not serve ${method} ${path}.`;
      throw new ServiceError(404, service.codes.unknownRoute, message);
    };
    const answer = await answerOf().catch((cause: unknown) => {
      if (!(cause instanceof ServiceError) || !service.errorFields) throw cause;
      const { status, serviceCode, message, headers } = cause;
      const fields = { ...cause.fields, ...service.errorFields(requestId) };
      throw new ServiceError(status, serviceCode, message, { cause, headers, fields });
    });
    if (answer.body === undefined) sendEmpty(exchange, answer.status, answer.headers);
    else sendJson(exchange, answer.status, answer.body, answer.headers);
    return true;
  };
}

const CORRELATION_ID = "x-ms-correlation-request-id";

/** The client's own ID, if it is a UUID. */
function correlationIdOf({ headers }: IncomingMessage): string | undefined {
  const id = headers[CORRELATION_ID];
  return typeof id === "string" && UUID.test(id) ? id : undefined;
}

async function callerOf(request: IncomingMessage, authenticate: Authenticate): Promise<Caller> {
  const token = credentialsIn(request.headers.authorization, "bearer");
  if (token === undefined) {
    throw new TokenError("missingToken", "The 'Authorization' header has no bearer token.");
  }
  return authenticate(token);
}

/** Finds the caller by a bearer token. Throws when the token is not valid for the service. */
export type Authenticate = (token: string) => Promise<Caller>;

/**
 * Accepts tokens that this cloud's Entra signed for the cloud's own services. These have many
 * names, so any audience is accepted except an application of the tenant.
 */
export function authenticator(tokens: Pick<Tokens, "verify">, directory: Directory): Authenticate {
  return async (token) => {
    const claims = await tokens.verify(token, () => {
      throw new TokenError("expiredToken", "The access token has expired.");
    });
    if (!claims) {
      throw new TokenError(
        "invalidToken",
        "The access token is invalid: this cloud's Entra has not signed it.",
      );
    }
    const tenantId = String(claims.tid);
    const audience = String(claims.aud);
    if (directory.tenant(tenantId)?.applications.byClientIdOrUri(audience)) {
      throw new TokenError(
        "wrongAudience",
        `The access token has been obtained for the wrong audience '${audience}'.`,
      );
    }
    const clientId = String(claims.appid ?? claims.azp);
    return { tenantId, objectId: String(claims.oid), clientId };
  };
}
