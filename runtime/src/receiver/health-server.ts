import { createServer, type Server } from "node:http";
import { cannotListen } from "../cannot-listen.js";
import { type Health, healthResponse } from "../health.js";
import { ReceiverStartError } from "./errors.js";
import type { ReceiverSettings } from "./settings/index.js";

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
      const { status, body } = isOk === undefined ? notFound : healthResponse(isOk);
      response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
      response.end(JSON.stringify(body));
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
        reject(new ReceiverStartError(cannotListen(host, port, cause), { cause }));
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

const notFound = { status: 404, body: { message: "Not found." } } as const;
