import { Server as HttpServer, maxHeaderSize } from "node:http";
import { Server as HttpsServer } from "node:https";
import type { Log } from "../../observability/index.js";

/** Headers of a delivery: ten delivery properties of 4,096 bytes, a token and more. */
export const DELIVERY_HEADER_BYTES = 64 * 1024;

/**
 * Warns if a server may answer 431 to deliveries, which nobody would see before they expire.
 *
 * @param remedy how to create the server with a higher limit
 */
export function warnOfHeaderLimit(server: unknown, log: Log, remedy: string): void {
  const isNodes = server instanceof HttpServer || server instanceof HttpsServer;
  const limit = isNodes ? (Reflect.get(server, "maxHeaderSize") ?? maxHeaderSize) : undefined;
  if (limit !== undefined && limit >= DELIVERY_HEADER_BYTES) return;
  log.warn(
    { limit: limit ?? "unknown", needed: DELIVERY_HEADER_BYTES },
    `deliveries with large delivery properties may get 431 and expire: ${remedy}`,
  );
}
