import { once } from "node:events";
import { createServer, request } from "node:http";

/** Forwards requests, and breaks the connection instead of returning some of the responses. */
export class LosingProxy {
  lost = 0;
  readonly #target: URL;
  readonly #server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const { hostname, port, host } = this.#target;
    const options = { hostname, port, method, path: url, headers: { ...headers, host } };
    const forwarded = request(options, (response) => {
      if (response.statusCode === 200 && Math.random() < 0.1) {
        this.lost += 1;
        response.resume();
        outgoing.socket?.destroy();
        return;
      }
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.once("error", () => outgoing.socket?.destroy());
    incoming.pipe(forwarded);
  });

  constructor(target: string) {
    this.#target = new URL(target);
  }

  /** @returns its origin */
  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${Object(this.#server.address()).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
