import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import { freePort } from "../../examples/start/free-port.js";

/** An ingress that holds requests until its target has started, as that of a container app does. */
export class HoldingProxy {
  static async start(target: string): Promise<HoldingProxy> {
    const proxy = new HoldingProxy(target, await freePort());
    proxy.#server.listen(Number(new URL(proxy.origin).port), "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  readonly origin: string;
  readonly #server: Server;
  #open: (started: Promise<void>) => void = () => {};

  private constructor(target: string, port: number) {
    this.origin = `http://127.0.0.1:${port}`;
    const opened = new Promise<void>((resolve) => {
      this.#open = resolve;
    });
    this.#server = createServer(async (incoming, response) => {
      try {
        await opened;
      } catch {
        response.writeHead(503).end();
        return;
      }
      const { method, headers, url = "/" } = incoming;
      const onward = request(new URL(url, target), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on("error", () => response.writeHead(502).end());
      incoming.pipe(onward);
    });
  }

  /** Forwards requests once the target has started. */
  openAfter(started: Promise<void>): void {
    this.#open(started);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
