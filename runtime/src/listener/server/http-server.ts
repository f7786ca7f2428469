import { lookup } from "node:dns/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { DELIVERY_HEADER_BYTES } from "../hosts/index.js";

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
