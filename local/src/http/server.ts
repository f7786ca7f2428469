import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { Server as TlsServer } from "node:https";
import { LocalCloudError, ServiceError, serviceError } from "../base/index.js";
import { type Exchange, type Method, type Route, sendJson } from "./exchange.js";

/** Tries the routes in order. */
export function requestListener(routes: readonly Route[], scheme: "http" | "https") {
  const listener: RequestListener = async (request, response) => {
    const origin = originOf(scheme, request.headers.host);
    const method = request.method as Method;
    try {
      // Some Azure clients request `//metadata/…`, which must not be parsed as a host.
      const path = String(request.url).replace(/^\/+/, "/");
      const exchange = { request, response, method, origin, url: new URL(path, origin) };
      for (const route of routes) if (await route(exchange)) return;
      sendError(
        exchange,
        serviceError.NotFound(`Nothing is served at ${path}. GET / lists the services.`),
      );
    } catch (error) {
      if (response.headersSent) response.destroy();
      else sendError({ response, request, method, origin, url: new URL(origin) }, error);
    }
  };
  return listener;
}

/** The Host header may be anything. */
function originOf(scheme: string, host = "localhost"): string {
  const origin = `${scheme}://${host}`;
  return URL.canParse(origin) ? new URL(origin).origin : `${scheme}://localhost`;
}

function sendError(exchange: Exchange, error: unknown): void {
  const { status, serviceCode, message, headers, fields } =
    error instanceof ServiceError
      ? error
      : serviceError.InternalServerError(
          `The local Azure itself failed: ${error instanceof Error ? error.message : error}`,
        );
  // Clients find the authority in the challenge. RFC 6750, section 3, allows few characters in it.
  const description = message.replaceAll('"', "'").replace(/[^ !#-[\]-~]/g, "");
  const challenge = `Bearer authorization_uri="${exchange.origin}", error="invalid_token", error_description="${description}"`;
  sendJson(
    exchange,
    status,
    { error: { code: serviceCode, message, ...fields } },
    { ...headers, ...(status === 401 && { "www-authenticate": challenge }) },
  );
}

/** Connections that may wait to be accepted. Beyond Node's 511, clients wait for seconds to try again. */
const BACKLOG = 4_096;

/**
 * How long idle connections stay open. With Node's five seconds, a client on a busy machine sends its next
 * request on a connection that is being closed, and gets ECONNRESET.
 */
const KEEP_ALIVE_TIMEOUT_MS = 120_000;

/**
 * @param port 0 for a free port
 * @param host address to listen on
 * @returns the port
 * @throws LocalCloudError `ERR_PORT`, `ERR_PORT_IN_USE`
 */
export async function listen(
  server: Server | TlsServer,
  port: number,
  host: string,
): Promise<number> {
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  server.listen(port, host, BACKLOG);
  try {
    await once(server, "listening");
  } catch (cause) {
    throw listenError(port, host, cause);
  }
  const address = server.address();
  return typeof address === "object" && address ? address.port : port;
}

function listenError(port: number, host: string, cause: unknown): unknown {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "EADDRINUSE") {
    return new LocalCloudError(
      "ERR_PORT_IN_USE",
      `Port ${port} of ${host} is in use. Is another local Azure running? Port 0 chooses a free port.`,
      { cause },
    );
  }
  if (code === "EACCES") {
    return new LocalCloudError(
      "ERR_PORT",
      `This user may not listen on port ${port}. Choose one above 1023, or 0 for a free port.`,
      { cause },
    );
  }
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return new LocalCloudError("ERR_HOST", `This machine has no address '${host}'.`, { cause });
  }
  return cause;
}

/** A server without routes; add a `requestListener` as soon as it listens. */
export function createHttpServer(): Server {
  return createServer({ keepAlive: true });
}

/** Stops accepting connections and closes the open ones. */
export async function close(server: Server | TlsServer): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
