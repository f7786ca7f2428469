import { once } from "node:events";
import { createServer } from "node:http";
import { cannotListen } from "../cannot-listen.js";
import { type Health, healthResponse } from "../health.js";
import { ReceiverStartError } from "./errors.js";
import type { ReceiverSettings } from "./settings/index.js";

/** A server for the health routes of a receiver, which needs no other server. */
export interface HealthServer {
  /** The port, also when a free one was requested. */
  readonly port: number;
  close(): Promise<void>;
}

/** @throws {ReceiverStartError} when the address cannot be bound */
export async function serveHealth(
  { port, host, live, ready }: NonNullable<ReceiverSettings["health"]>,
  health: Health,
): Promise<HealthServer> {
  const responseAt = (path: string | undefined) => {
    if (path === live) return healthResponse(!health.isStuck());
    return path === ready ? healthResponse(health.isReady()) : notFound;
  };
  const server = createServer((request, response) => {
    const { status, body } = responseAt(request.url?.split("?", 1)[0]);
    response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
    response.end(JSON.stringify(body));
  });
  try {
    await once(server.listen(port, host), "listening");
  } catch (cause) {
    throw new ReceiverStartError(cannotListen(host, port, cause), { cause });
  }
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const notFound = { status: 404, body: { message: "Not found." } } as const;
