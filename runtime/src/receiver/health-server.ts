import { createServer, type Server } from "node:http";
import { ReceiverStartError } from "./errors.js";
import type { ReceiverSettings } from "./settings/index.js";

/** The state that the health routes report. */
export interface Health {
  isReady(): boolean;
  /** Whether only a restart helps. */
  isStuck(): boolean;
}

type Settings = NonNullable<ReceiverSettings["health"]>;

/** Serves the health routes of a receiver, which needs no other server. */
export class HealthServer {
  readonly #settings: Settings;
  readonly #server: Server;

  constructor(settings: Settings, health: Health) {
    this.#settings = settings;
    this.#server = createServer((request, response) => {
      const path = request.url?.split("?", 1)[0];
      const isOk =
        path === settings.live
          ? !health.isStuck()
          : path === settings.ready
            ? health.isReady()
            : undefined;
      const status = isOk === undefined ? 404 : isOk ? 200 : 503;
      response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
      response.end(JSON.stringify({ status: bodies[status] }));
    });
  }

  /**
   * @returns the port, also when a free one was requested
   * @throws {ReceiverStartError} when the address cannot be bound
   */
  listen(): Promise<number> {
    const { port, host } = this.#settings;
    return new Promise((resolve, reject) => {
      this.#server.once("error", (cause) => {
        const message = `cannot serve the health routes on ${host}:${port}: ${cause.message}`;
        reject(new ReceiverStartError(message, { cause }));
      });
      this.#server.listen(port, host, () => {
        const address = this.#server.address();
        resolve(typeof address === "object" && address !== null ? address.port : port);
      });
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}

const bodies = { 200: "ok", 404: "not found", 503: "unavailable" } as const;
