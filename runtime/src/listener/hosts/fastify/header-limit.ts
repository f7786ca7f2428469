import { Server as HttpServer, maxHeaderSize } from "node:http";
import { Server as HttpsServer } from "node:https";
import type { FastifyInstance } from "fastify";

/** Headers of a delivery: ten delivery properties of 4,096 bytes, a token and more. */
export const DELIVERY_HEADER_BYTES = 64 * 1024;

/** Warns if the app's server may answer 431 to deliveries, which nobody would see before they expire. */
export function checkHeaderLimit(app: FastifyInstance): void {
  // HTTP/2 has another limit, which is large enough.
  if (app.initialConfig.http2 !== undefined) return;
  const server: object = app.server;
  const isNodes = server instanceof HttpServer || server instanceof HttpsServer;
  const limit = isNodes ? (Reflect.get(server, "maxHeaderSize") ?? maxHeaderSize) : undefined;
  if (limit !== undefined && limit >= DELIVERY_HEADER_BYTES) return;
  app.log.warn(
    { limit: limit ?? "unknown", needed: DELIVERY_HEADER_BYTES },
    "deliveries with large delivery properties may get 431 and expire: create the app with http: { maxHeaderSize: 65536 }",
  );
}
