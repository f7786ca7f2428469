import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A connection to PostgreSQL that tests break. */
export class BreakingProxy {
  /** Whether the next commit breaks its connection, or silences it: before or after the server has it. */
  atCommit: "before" | "after" | "silent" | undefined;
  /** Whether new connections are silent from the beginning. */
  isSilent = false;
  readonly #sockets = new Set<Socket>();
  readonly #pairs = new Set<{ isSilent: boolean; readonly client: Socket }>();
  /** Whether the server learns of the end of a connection. */
  isHalfOpen = false;
  readonly #server;

  constructor(target: number) {
    this.#server = createServer((client) => {
      const server = connect(target, "127.0.0.1");
      const end = () => {
        client.destroy();
        if (!this.isHalfOpen) server.destroy();
      };
      for (const socket of [client, server]) {
        this.#sockets.add(socket);
        socket.on("error", end);
        socket.on("close", () => {
          this.#sockets.delete(socket);
          end();
        });
      }
      const pair = { isSilent: this.isSilent, client };
      this.#pairs.add(pair);
      let isResponseLost = false;
      server.on("data", (chunk) => {
        if (pair.isSilent) return;
        if (isResponseLost) end();
        else client.write(chunk);
      });
      client.on("data", (chunk) => {
        if (pair.isSilent) return;
        const when = /commit/i.test(chunk.toString("latin1")) ? this.atCommit : undefined;
        if (when !== undefined) this.atCommit = undefined;
        if (when === "before") end();
        else server.write(chunk);
        isResponseLost ||= when === "after";
        pair.isSilent ||= when === "silent";
      });
    });
  }

  /** @returns its port */
  async start(): Promise<number> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return Object(this.#server.address()).port;
  }

  /** Forwards nothing more on the connections that are open, in either direction. */
  silence(): void {
    for (const pair of this.#pairs) pair.isSilent = true;
  }

  breakAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Breaks all connections, of which the server does not learn. */
  breakClients(): void {
    this.isHalfOpen = true;
    for (const { client } of this.#pairs) client.destroy();
  }

  stop(): void {
    this.isHalfOpen = false;
    this.breakAll();
    this.#server.close();
  }
}
