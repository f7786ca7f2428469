import { once } from "node:events";
import { createServer } from "node:http";
import { answerHealth, answerJson, cannotListen, type Health } from "../network/index.js";
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
  const server = createServer((request, response) => {
    if (answerHealth(request, response, { live, ready }, health)) return;
    answerJson(response, 404, { message: "Not found." });
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
