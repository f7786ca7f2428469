import type { IncomingMessage } from "node:http";
import type { ServiceError } from "../errors.js";
import { type Route, sendEmpty, sendJson } from "../http/index.js";
import type { Authenticate, Caller } from "./caller.js";
import { readJson } from "./json-body.js";
import type { Router } from "./router.js";

/** A management service: where it is, what it serves, and how it words what every service says. */
export interface ApiService {
  /** The path's first segments that are this service's. */
  readonly roots: readonly string[];
  readonly router: Router;
  readonly unauthenticated: (reason: string) => ServiceError;
  readonly unknownRoute: (method: string, path: string) => ServiceError;
}

/** Serves a management service: 401 without a good token, 404 off its paths. */
export function apiRoute(service: ApiService, authenticate: Authenticate): Route {
  return async (exchange) => {
    const { request, method, url, origin } = exchange;
    const path = url.pathname.replace(/\/{2,}/g, "/");
    if (!service.roots.includes((path.split("/")[1] ?? "").toLowerCase())) return false;

    const body = await readJson(request);
    const caller = await callerOf(request, authenticate).catch((error: unknown) => {
      throw service.unauthenticated(error instanceof Error ? error.message : String(error));
    });
    const asked = { method, path, query: url.searchParams, body, origin, caller };
    const answer = await service.router.handle(asked);
    if (!answer) throw service.unknownRoute(method, path);
    if (answer.body === undefined) sendEmpty(exchange, answer.status, answer.headers);
    else sendJson(exchange, answer.status, answer.body, answer.headers);
    return true;
  };
}

async function callerOf(request: IncomingMessage, authenticate: Authenticate): Promise<Caller> {
  const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (token === undefined) throw new TypeError("The 'Authorization' header has no bearer token.");
  return authenticate(token);
}
