import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import {
  createDefaultHttpClient,
  createHttpHeaders,
  type HttpClient,
  type PipelineRequest,
  type PipelineResponse,
  type TlsSettings,
} from "@azure/core-rest-pipeline";
import type { Exchange } from "./exchange.js";

/** An error's text is a few hundred bytes; what is longer comes from something else than a topic. */
const LONGEST_ANSWER = 64 * 1024;

/**
 * Connections to the topic, kept alive between requests. It does what the SDK's own HTTP client
 * does in half the time, keeps no more of an answer than an error's text, and can be closed.
 *
 * Requests through a proxy or an agent of their own are left to the SDK's client.
 */
export class TopicConnections {
  readonly #http = new HttpAgent({ keepAlive: true });
  readonly #https: HttpsAgent;
  readonly #tls: TlsSettings | undefined;
  readonly #alwaysOther: boolean;
  #other: HttpClient | undefined;
  #address = { url: "", protocol: "", hostname: "", port: "", path: "" };

  /**
   * @param own what sends all requests instead
   * @param tls whom to trust, and as whom to connect
   */
  constructor(own?: HttpClient, tls?: TlsSettings) {
    this.#https = new HttpsAgent({ keepAlive: true, ...tls });
    this.#tls = tls;
    this.#other = own;
    this.#alwaysOther = own !== undefined;
  }

  /** @param exchange how the request can be ended, and told how far it is */
  send(request: PipelineRequest, exchange: Exchange): Promise<PipelineResponse> {
    const { body, agent, tlsSettings } = request;
    const isOurs = agent === undefined && (tlsSettings === undefined || tlsSettings === this.#tls);
    if (isOurs && !this.#alwaysOther && Buffer.isBuffer(body))
      return this.#send(request, body, exchange);
    request.abortSignal = exchange.signal();
    // Nobody tells when it sends.
    exchange.waitsFor = "answer";
    this.#other ??= createDefaultHttpClient();
    return this.#other.sendRequest(request);
  }

  /** Closes what is kept open. */
  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  #send(request: PipelineRequest, body: Buffer, exchange: Exchange): Promise<PipelineResponse> {
    // The body of an answer is for people, and not worth unpacking.
    request.headers.delete("Accept-Encoding");
    return new Promise((resolve, reject) => {
      const outgoing = this.#open(request, (incoming) => {
        text(incoming, reject, (bodyAsText) => resolve({ request, bodyAsText, ...head(incoming) }));
      });
      outgoing.once("error", reject);
      // Node closes the connection after an answer of 101, without an error.
      outgoing.once("upgrade", (incoming: IncomingMessage, socket: Socket) => {
        socket.destroy();
        resolve({ request, bodyAsText: "", ...head(incoming) });
      });
      exchange.waitsFor = "connection";
      outgoing.once("socket", (socket) =>
        onceConnected(socket, () => {
          exchange.waitsFor = "answer";
        }),
      );
      exchange.endedBy((reason) => outgoing.destroy(reason));
      outgoing.end(body);
    });
  }

  #open(request: PipelineRequest, answered: (incoming: IncomingMessage) => void): ClientRequest {
    // All requests of a publisher go to one address.
    if (this.#address.url !== request.url) this.#address = addressOf(request.url);
    const { protocol, hostname, port, path } = this.#address;
    const { method } = request;
    const headers = request.headers.toJSON({ preserveCase: true });
    if (protocol === "https:") {
      return requestHttps({ method, hostname, port, path, headers, agent: this.#https }, answered);
    }
    if (!request.allowInsecureConnection) throw new Error(`${hostname} is spoken to without TLS`);
    return requestHttp({ method, hostname, port, path, headers, agent: this.#http }, answered);
  }
}

function addressOf(url: string) {
  const { protocol, hostname: host, port, pathname, search } = new URL(url);
  // An IPv6 address stands in brackets in a URL, and nowhere else.
  const hostname = host.replace(/^\[(.*)\]$/, "$1");
  return { url, protocol, hostname, port, path: pathname + search };
}

/** Before that, nothing of a request is on the wire: with TLS, not before the server is trusted. */
function onceConnected(socket: Socket, connected: () => void): void {
  if (!socket.connecting) connected();
  else socket.once(socket instanceof TLSSocket ? "secureConnect" : "connect", connected);
}

function head({ statusCode = 0, headers }: IncomingMessage) {
  const flat = createHttpHeaders();
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) flat.set(name, String(value));
  }
  return { status: statusCode, headers: flat };
}

function text(
  incoming: IncomingMessage,
  failed: (error: Error) => void,
  read: (text: string) => void,
): void {
  let length = 0;
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => {
    if (length < LONGEST_ANSWER) chunks.push(chunk);
    length += chunk.length;
  });
  incoming.once("end", () => read(length === 0 ? "" : Buffer.concat(chunks).toString("utf8")));
  incoming.once("error", failed);
}
