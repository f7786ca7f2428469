import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ServiceError } from "../base/index.js";
import type { Directory } from "../directory/index.js";
import type { Claims } from "../entra/index.js";
import { type Route, readJson, sendEmpty, sendJson } from "../http/index.js";
import type { Caller, Router } from "./router.js";

/** A management service: its paths, its handlers and its messages for the common errors. */
export interface ApiService {
  /** First path segments of the service. */
  readonly roots: readonly string[];
  readonly router: Router;
  readonly unauthenticated: (reason: string) => ServiceError;
  readonly unknownRoute: (method: string, path: string) => ServiceError;
  /** Fields of errors beside code and message. */
  readonly errorFields?: (requestId: string) => Readonly<Record<string, unknown>>;
}

/** Serves a management service: 401 without a valid token, 404 for an unknown path. */
export function apiRoute(service: ApiService, authenticate: Authenticate): Route {
  return async (exchange) => {
    const { request, response, method, url, origin } = exchange;
    // Some SDKs encode a scope with its slashes.
    const path = url.pathname.replace(/%2f/gi, "/").replace(/\/{2,}/g, "/");
    if (!service.roots.includes((path.split("/")[1] ?? "").toLowerCase())) return false;

    // Errors have them too.
    const requestId = randomUUID();
    response.setHeader("x-ms-request-id", requestId);
    response.setHeader(CORRELATION_ID, correlationIdOf(request) ?? requestId);

    const answerOf = async () => {
      const body = await readJson(request);
      const caller = await callerOf(request, authenticate).catch((error: unknown) => {
        throw service.unauthenticated(error instanceof Error ? error.message : String(error));
      });
      const { searchParams: query } = url;
      const { headers } = request;
      const apiRequest = { method, path, query, headers, body, origin, caller };
      const answer = await service.router.handle(apiRequest);
      if (answer) return answer;
      throw service.unknownRoute(method, path);
    };
    const answer = await answerOf().catch((cause: unknown) => {
      if (!(cause instanceof ServiceError) || !service.errorFields) throw cause;
      const { status, serviceCode, message, headers } = cause;
      const fields = service.errorFields(requestId);
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
  return typeof id === "string" && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)
    ? id
    : undefined;
}

async function callerOf(request: IncomingMessage, authenticate: Authenticate): Promise<Caller> {
  const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (token === undefined) throw new TypeError("The 'Authorization' header has no bearer token.");
  return authenticate(token);
}

/** Finds the caller by a bearer token. Throws when the token is not valid for the service. */
export type Authenticate = (token: string) => Promise<Caller>;

/**
 * Accepts tokens that this cloud's Entra signed for the cloud's own services. These have many
 * names, so any audience is accepted except an application of the tenant.
 */
export function authenticator(
  verify: (token: string) => Promise<Claims | undefined>,
  directory: Directory,
): Authenticate {
  return async (token) => {
    const claims = await verify(token);
    if (!claims) {
      throw new TypeError(
        "The access token is invalid: not signed by this cloud's Entra, or expired.",
      );
    }
    const tenantId = String(claims.tid);
    const audience = String(claims.aud);
    if (directory.tenant(tenantId)?.applications.byClientIdOrUri(audience)) {
      throw new TypeError(
        `The access token has been obtained for the wrong audience '${audience}'.`,
      );
    }
    const clientId = String(claims.appid ?? claims.azp);
    return { tenantId, objectId: String(claims.oid), clientId };
  };
}
