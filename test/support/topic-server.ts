import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";

/** One request that arrived at the topic. */
export interface TopicRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The unchanged body. */
  readonly body: string;
  /** The parsed body; not checked. */
  readonly events: readonly WireEvent[];
  /** Resolves when the response is sent, or the connection is closed before. */
  readonly closed: Promise<unknown>;
}

export type WireEvent = Readonly<Record<string, unknown>>;

/** The response of the topic; `hang` never responds, `reset` breaks the connection. */
export type TopicAnswer =
  | { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> }
  | "hang"
  | "reset";

/** A server's certificate and private key, as PEM. */
export interface TopicCertificate {
  readonly cert: string;
  readonly key: string;
}

export type TopicScript = (request: TopicRequest) => TopicAnswer | Promise<TopicAnswer>;

export const ACCESS_KEY = "the+access+key+of+the+topic=";
export const ACCEPTED: TopicAnswer = { status: 200, headers: { "x-ms-request-id": "request-200" } };

/** An error response in the form of the service. */
export function refused(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): TopicAnswer {
  return {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "x-ms-request-id": `request-${status}`,
      ...headers,
    },
    body: JSON.stringify({ error: { code, message, details: [] } }),
  };
}

/** A topic over HTTP whose responses a test decides; by default it accepts everything. */
export class TopicServer {
  /** All requests, in the order of arrival. */
  readonly requests: TopicRequest[] = [];
  /** Events of the requests that got a 200. */
  readonly accepted: WireEvent[] = [];
  answer: TopicScript = () => ACCEPTED;
  /** Number of connections that were opened. */
  connections = 0;
  readonly #server;
  readonly #scheme: "http" | "https";
  readonly #watchers = new Set<() => void>();

  private constructor(tls: TopicCertificate | undefined) {
    const take = (incoming: IncomingMessage, response: ServerResponse) =>
      void this.#take(incoming, response);
    this.#scheme = tls ? "https" : "http";
    this.#server = tls ? createTlsServer(tls, take) : createServer(take);
    // Only the client closes idle connections.
    this.#server.keepAliveTimeout = 0;
    this.#server.on("connection", () => {
      this.connections += 1;
    });
  }

  /** @param tls certificate to serve https with */
  static async start(answer?: TopicScript, tls?: TopicCertificate): Promise<TopicServer> {
    const topic = new TopicServer(tls);
    if (answer) topic.answer = answer;
    topic.#server.listen(0, "127.0.0.1");
    await once(topic.#server, "listening");
    return topic;
  }

  get port(): number {
    const address = this.#server.address() as AddressInfo;
    return address.port;
  }

  get endpoint(): string {
    return `${this.#scheme}://127.0.0.1:${this.port}/api/events`;
  }

  /** A binding that publishes to this topic. */
  get binding() {
    return { topicEndpoint: this.endpoint, accessKey: ACCESS_KEY, name: "orders" } as const;
  }

  onConnection(callback: (socket: Socket) => void): void {
    this.#server.on("connection", callback);
  }

  /** Resolves as soon as this many requests have arrived. */
  arrivals(count: number): Promise<void> {
    return new Promise((resolve) => {
      const watch = () => {
        if (this.requests.length < count) return;
        this.#watchers.delete(watch);
        resolve();
      };
      this.#watchers.add(watch);
      watch();
    });
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    if (this.#server.listening) await once(this.#server, "close");
  }

  async #take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks).toString("utf8");
    const { method = "", url = "", headers } = incoming;
    const closed = once(response, "close");
    const request = { method, url, headers, body, events: JSON.parse(body), closed };
    this.requests.push(request);
    for (const watch of this.#watchers) watch();
    await this.#respond(request, response);
  }

  async #respond(request: TopicRequest, response: ServerResponse): Promise<void> {
    const answer = await this.answer(request);
    if (answer === "hang") return;
    if (answer === "reset") {
      response.socket?.resetAndDestroy();
      return;
    }
    if (answer.status === 200) this.accepted.push(...request.events);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }
}
