import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Bounds the connections on which no verified request has come.
 *
 * When there are too many, the oldest of them goes: whoever opens connections and sends nothing
 * cannot keep Event Grid out, nor close a connection that has delivered.
 */
export class AnonymousConnections {
  readonly #limit: number;
  readonly #sockets = new Set<Socket>();

  constructor(limit: number) {
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

  /** A verified request came on this connection: it is anonymous no longer. */
  verified({ socket }: IncomingMessage): void {
    this.#sockets.delete(socket);
  }
}
