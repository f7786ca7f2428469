import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { Server as TlsServer } from "node:https";
import { LocalCloudError, ServiceError } from "../errors.js";
import { type Exchange, type Route, sendJson } from "./exchange.js";

/** Asks the routes in their order. */
export function requestListener(routes: readonly Route[], scheme: "http" | "https") {
  const listener: RequestListener = async (request, response) => {
    const origin = originOf(scheme, request.headers.host);
    const method = request.method ?? "GET";
    try {
      // Some clients of Azure ask for `//metadata/…`, which must not be read as a host.
      const path = (request.url ?? "/").replace(/^\/+/, "/");
      const exchange = { request, response, method, origin, url: new URL(path, origin) };
      for (const route of routes) if (await route(exchange)) return;
      sendError(
        exchange,
        new ServiceError(404, "NotFound", `Nothing is served at ${path}. GET / tells what is.`),
      );
    } catch (error) {
      if (response.headersSent) response.destroy();
      else sendError({ response, request, method, origin, url: new URL(origin) }, error);
    }
  };
  return listener;
}

/** What a client sends may be no host at all. */
function originOf(scheme: string, host = "localhost"): string {
  const origin = `${scheme}://${host}`;
  return URL.canParse(origin) ? new URL(origin).origin : `${scheme}://localhost`;
}

function sendError(exchange: Exchange, error: unknown): void {
  const { status, serviceCode, message } =
    error instanceof ServiceError
      ? error
      : new ServiceError(
          500,
          "InternalServerError",
          `The local Azure itself failed: ${error instanceof Error ? error.message : error}`,
        );
  sendJson(exchange, status, { error: { code: serviceCode, message } });
}

/**
 * Binds to the loopback interface.
 *
 * @param port 0 for a free one
 * @returns the port
 * @throws LocalCloudError `ERR_PORT`, `ERR_PORT_IN_USE`
 */
export async function listen(server: Server | TlsServer, port: number): Promise<number> {
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (cause) {
    throw refusal(port, cause);
  }
  const address = server.address();
  return typeof address === "object" && address ? address.port : port;
}

function refusal(port: number, cause: unknown): unknown {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "EADDRINUSE") {
    return new LocalCloudError(
      "ERR_PORT_IN_USE",
      `Port ${port} of 127.0.0.1 is taken. Is another local Azure running? Port 0 takes a free one.`,
      { cause },
    );
  }
  if (code === "EACCES") {
    return new LocalCloudError(
      "ERR_PORT",
      `This user may not listen on port ${port}. Take one above 1023, or 0 for a free one.`,
      { cause },
    );
  }
  return cause;
}

export function createHttpServer(routes: readonly Route[]): Server {
  return createServer({ keepAlive: true }, requestListener(routes, "http"));
}

/** Stops accepting and ends every connection, so that nothing of a test outlives it. */
export async function close(server: Server | TlsServer): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
