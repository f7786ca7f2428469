import type { IncomingMessage, ServerResponse } from "node:http";
import { type Problem, problem, routePath } from "../validation/index.js";

/** The state that health routes report. */
interface Health {
  isReady(): boolean;
  /** Whether only a restart helps. */
  isStuck(): boolean;
}

interface Paths {
  readonly live?: string | undefined;
  readonly ready?: string | undefined;
}

export function healthPaths({ live = "/healthz", ready = "/readyz" }: Paths) {
  return { live, ready } as const;
}

export const healthPathChecks = { live: routePath, ready: routePath };

/** The problem of routes that would share a path. */
export function healthPathProblems(paths: Paths, field: string): Problem[] {
  const { live, ready } = healthPaths(paths);
  if (live !== ready) return [];
  const message = `is ${ready}, the path of ${field}.live: choose a different path`;
  return [problem(`${field}.ready`, "own-path", message)];
}

/**
 * Answers a request to a health route.
 *
 * @returns whether it was one
 */
export function answerHealth(
  { method, url = "" }: IncomingMessage,
  response: ServerResponse,
  { live, ready }: ReturnType<typeof healthPaths>,
  health: Health,
): boolean {
  const [path] = url.split("?", 1);
  if ((method !== "GET" && method !== "HEAD") || (path !== live && path !== ready)) return false;
  const isOk = path === live ? !health.isStuck() : health.isReady();
  answerJson(response, isOk ? 200 : 503, { status: isOk ? "ok" : "unavailable" });
  return true;
}

export function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(body));
}
