import type { IncomingMessage, ServerResponse } from "node:http";

/** The state that health routes report. */
export interface Health {
  isReady(): boolean;
  /** Whether only a restart helps. */
  isStuck(): boolean;
}

interface Paths {
  readonly live?: string | undefined;
  readonly ready?: string | undefined;
}

/** Paths of health routes, with the defaults filled in. */
export function healthPaths({ live = "/healthz", ready = "/readyz" }: Paths) {
  return { live, ready } as const;
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

/** Sends a small JSON object. */
export function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(body));
}
