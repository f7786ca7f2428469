import { lookup } from "node:dns/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import { type Log, LogThrottle } from "../../observability/index.js";
import { DELIVERY_HEADER_BYTES } from "../hosts/index.js";
import type { ListenerMetrics } from "../metrics.js";

/** Time for a request's headers, and for a whole request; Event Grid itself waits 30 s. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than load balancers keep idle connections, so that they close them and not this server. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/**
 * A server that limits the size of headers, and the time that a request may take. It does not answer
 * `Expect: 100-continue` with 100 by itself.
 */
export function httpServer(onRequest: RequestListener): Server {
  const limits = {
    maxHeaderSize: DELIVERY_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: 2_000,
  };
  return createServer(limits, onRequest).on("checkContinue", onRequest);
}

/**
 * Binds the other addresses of `localhost`, usually `::1`, as Fastify does for servers that it
 * creates itself. An address that is taken is left out.
 */
export async function bindOtherAddresses(main: Server, create: () => Server): Promise<void> {
  const bound = main.address();
  if (bound === null || typeof bound === "string") return;
  for (const { address } of await lookup("localhost", { all: true })) {
    if (address === bound.address) continue;
    const server = create();
    server.on("clientError", (error, socket) => main.emit("clientError", error, socket));
    await new Promise((settled) => {
      server
        .once("error", settled)
        .listen({ host: address, port: bound.port }, () => settled(null));
    });
    main.once("close", () => {
      server.close();
      server.closeAllConnections();
    });
  }
}

/**
 * Limits the connections on which no verified request has arrived.
 *
 * When there are too many, the oldest of them is closed. Callers that open connections and send
 * nothing can neither keep Event Grid out nor close a connection that has delivered.
 */
export class AnonymousConnections {
  readonly #sockets = new Set<Socket>();

  constructor(private readonly limit = 512) {}

  watch(server: Server): void {
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
      if (this.#sockets.size <= this.limit) return;
      const [oldest] = this.#sockets;
      this.#sockets.delete(oldest ?? socket);
      oldest?.destroy();
    });
  }

  /** Call it with the connection of a verified request: it is not anonymous any more. */
  verified(socket: Socket): void {
    this.#sockets.delete(socket);
  }
}

const statuses: Readonly<Record<string, [status: number, reason: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout"],
};

/**
 * Responds to requests that Node's HTTP parser rejects before any handler sees them, and logs and
 * counts them. The raw packet that comes with the error contains the token, so it is never logged.
 */
export function answerParserErrors(server: Server, metrics: ListenerMetrics, log: Log): void {
  const throttle = new LogThrottle<string>(Date.now);
  server.on("clientError", ({ code = "unknown" }: { readonly code?: string }, socket: Socket) => {
    // The caller has disconnected: nobody is left to respond to.
    if (code === "ECONNRESET" || socket.destroyed) return;
    const [status, reason] = statuses[code] ?? [400, "Bad Request"];
    metrics.parserError(status, code);
    throttle.write(code, (counted) =>
      log.warn({ status, code, ...counted }, "request rejected by the HTTP parser"),
    );
    if (socket.writable) {
      socket.write(
        `HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      );
    }
    socket.destroy();
  });
}
