import type { Server } from "node:http";
import type { Socket } from "node:net";
import { type Log, LogThrottle } from "../../log.js";
import type { ListenerMetrics } from "../metrics.js";

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
