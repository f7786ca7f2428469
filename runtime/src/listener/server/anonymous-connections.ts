import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Limits the connections on which no verified request has arrived.
 *
 * When there are too many, the oldest of them is closed. Callers that open connections and send
 * nothing can neither keep Event Grid out nor close a connection that has delivered.
 */
export class AnonymousConnections {
  readonly #limit: number;
  readonly #sockets = new Set<Socket>();

  constructor(limit = 512) {
    this.#limit = limit;
  }

  watch(server: Server): void {
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
      if (this.#sockets.size <= this.#limit) return;
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
