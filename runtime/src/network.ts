import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { ConfigurationError, problem } from "./errors.js";
import { settlesWithin } from "./time.js";

/** Says why a server cannot listen, and what to do. */
export function cannotListen(host: string, port: number, cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const reason = advice[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return `cannot listen on ${host}:${port}: ${reason}`;
}

const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use: stop the other server or choose another port",
  EACCES: "this user may not bind the port: choose one from 1024 on",
  EADDRNOTAVAIL: "this machine does not have that address: check `host`",
  ENOTFOUND: "the host name has no address: check `host`",
};

/**
 * Closes a server that listens, with its connections.
 *
 * @param graceMs how long responses may take that have been begun, or requests that have half arrived
 */
export async function closeServer(server: Server, graceMs = 0): Promise<void> {
  const closed = once(server, "close");
  server.close();
  if (graceMs > 0) await settlesWithin(graceMs, closed);
  server.closeAllConnections();
  await closed;
}

/** The state that health routes report. */
interface Health {
  isReady(): boolean;
  /** Reports whether only a restart helps. */
  isStuck(): boolean;
}

/** Paths of the health routes: `live` answers 503 only when the process should be restarted. */
export const HEALTH_PATHS = { live: "/healthz", ready: "/readyz" };

/**
 * Answers a request to a health route.
 *
 * @returns whether it was one
 */
export function answerHealth(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  health: Health,
): boolean {
  const { live, ready } = HEALTH_PATHS;
  const [path] = String(url).split("?", 1);
  if ((method !== "GET" && method !== "HEAD") || (path !== live && path !== ready)) return false;
  const isOk = path === live ? !health.isStuck() : health.isReady();
  answerJson(response, isOk ? 200 : 503, { status: isOk ? "ok" : "unavailable" });
  return true;
}

/** Responds with JSON, to a request whose body nobody reads: one that has a body loses its connection. */
export function answerJson(response: ServerResponse, status: number, body: object): void {
  const { "content-length": length = "0", "transfer-encoding": encoding } = response.req.headers;
  if (length !== "0" || encoding !== undefined) response.setHeader("connection", "close");
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(body));
}

const PROXY_VARIABLES = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"];

/**
 * The proxy of the environment for an https URL, by the variables that undici reads. Without a scheme it
 * is one of http, as for curl.
 *
 * @throws {ConfigurationError} that names the variable, without its value, which may have a password
 */
export function environmentProxy(
  env: Readonly<Record<string, string | undefined>> = process.env,
): URL | undefined {
  const variable = PROXY_VARIABLES.find((name) => env[name]);
  const text = (variable && env[variable])?.trim();
  if (variable === undefined || !text) return undefined;
  try {
    const url = new URL(text.includes("://") ? text : `http://${text}`);
    decodeURIComponent(`${url.username}${url.password}`);
    if (url.protocol === "http:" || url.protocol === "https:") return url;
  } catch {
    // Reported below, without the value.
  }
  const message =
    "must be the URL of an http or https proxy, such as http://user:password@proxy:3128";
  throw new ConfigurationError("The proxy of the environment is invalid", [
    problem(variable, { proxy: message }),
  ]);
}

const NOT_TLS = new Set(["ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_PACKET_LENGTH_TOO_LONG"]);
const UNTRUSTED_CERTIFICATE = /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/;

/** The reason of a failed connection for a message: Node's text, with the remedy of common mistakes. */
export function withRemedy(message: string, code: string): string {
  if (NOT_TLS.has(code)) return "the server does not speak TLS: check the protocol and the port";
  if (code === "ECONNREFUSED") {
    return `${message}: no server listens there, so start it or correct host and port`;
  }
  return UNTRUSTED_CERTIFICATE.test(code)
    ? `${message}: name its certificate authority in NODE_EXTRA_CA_CERTS`
    : message;
}
