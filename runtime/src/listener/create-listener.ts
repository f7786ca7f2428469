import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { InputRuntimeBinding } from "../binding/index.js";
import type { EventPayloads } from "../events/index.js";
import type { AnyCatalogue, AnyMiddleware } from "../handling/index.js";
import { answerHealth, cannotListen, closeServer } from "../network.js";
import { type Log, LogThrottle } from "../observability.js";
import { checkWebhook } from "./check.js";
import { Endpoint, ListenerStartError, pathOf } from "./create-webhook.js";
import { type SystemDependencies, systemDependencies } from "./dependencies.js";
import { type BodyReader, DELIVERY_HEADER_BYTES, NodeExchange } from "./exchange.js";
import { ListenerMetrics } from "./metrics.js";
import {
  type BoundOptions,
  type ListenerOptions,
  type ServerOptions,
  serverSettings,
  type WebhookOptions,
} from "./options.js";

/** A server for the webhooks of one or several bindings. */
export interface Listener {
  /**
   * Serves another binding on the same port, at its own path. Call it before `listen()`. Settings
   * that are not given have their defaults, not those of the first binding.
   *
   * @example
   * ```ts
   * listener.add(bindingFromEnvironment("PAYMENTS"), { on: { "*": (event) => book(event) } });
   * ```
   *
   * @throws {ConfigurationError} with all problems of the binding and the options, also when the path is
   * taken
   * @throws {ListenerStartError} when the listener has been started
   */
  add<
    P extends EventPayloads = EventPayloads,
    const M extends readonly AnyMiddleware[] = readonly AnyMiddleware[],
  >(binding: InputRuntimeBinding, options: WebhookOptions<P, M>): void;
  /**
   * Starts to listen. Resolves when the signing keys have been requested. Calling it again while it
   * listens changes nothing; after a failure it tries again.
   *
   * @throws {ListenerStartError} when the address cannot be bound; nothing stays bound then. After
   * `close()` always: create a new listener
   */
  listen(): Promise<ListenerAddress>;
  /** Drains, then closes. Calling it again changes nothing. */
  close(): Promise<void>;
  /** Reports whether deliveries are accepted, of every binding. */
  isReady(): boolean;
  /** The address it listens on; `undefined` while it does not listen. */
  readonly address: ListenerAddress | undefined;
}

/** The address that a listener is bound to. */
export interface ListenerAddress {
  readonly host: string;
  /** The port, also when a free one was requested. */
  readonly port: number;
  /** URL of the first binding's webhook on this machine. */
  readonly url: string;
}

/** Time that a load balancer usually needs to notice that a replica is not ready any more. */
const DRAIN_LAG_MS = 5_000;

/**
 * Creates a server for the webhook of a binding, on the binding's `handshakePort`.
 *
 * @example
 * ```ts
 * const listener = createListener(binding, {
 *   events: orders,
 *   on: { "shop.order.placed": async (event, { signal }) => ship(event.data.orderId, signal) },
 * });
 * await listener.listen();
 * ```
 *
 * @throws {ConfigurationError} with all problems of the binding and the options
 */
export function createListener<
  P extends EventPayloads = EventPayloads,
  const M extends readonly AnyMiddleware[] = readonly AnyMiddleware[],
>(binding: InputRuntimeBinding, options: ListenerOptions<P, M>): Listener {
  return createListenerWith(binding, options);
}

/** {@link createListener} with other dependencies, for tests. The package does not export it. */
export function createListenerWith(
  binding: InputRuntimeBinding,
  options: AnyCatalogue<ListenerOptions>,
  system = systemDependencies,
): Listener {
  return new HttpListener({ ...options, binding }, system);
}

/** The webhooks of {@link Endpoint} in a server of their own. */
class HttpListener implements Listener {
  readonly #settings;
  /** Where it listens: the option, or the `handshakePort` of the first binding. */
  readonly #port: number;
  readonly #endpoint: Endpoint;
  readonly #metrics: ListenerMetrics;
  #listening: Promise<ListenerAddress> | undefined;
  #server: Server | undefined;
  #address: ListenerAddress | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: BoundOptions & ServerOptions, system: SystemDependencies) {
    this.#settings = serverSettings(options);
    const { port } = options;
    const constraints = { health: options.health !== false, drainLagMs: DRAIN_LAG_MS };
    const checked = checkWebhook("createListener", options, constraints);
    this.#port = port ?? Number(checked.binding.handshakePort);
    this.#endpoint = new Endpoint(checked, options.logger, system);
    this.#metrics = new ListenerMetrics(system.timer, options.telemetry?.meterProvider);
  }

  add(binding: InputRuntimeBinding, options: AnyCatalogue<WebhookOptions>): void {
    if (this.#listening !== undefined || this.#closed !== undefined) {
      throw new ListenerStartError("the listener has been started: add bindings before listen()");
    }
    const { health, port } = this.#settings;
    const sharedPort = port === undefined ? this.#port : undefined;
    this.#endpoint.add(binding, options, { health, port: sharedPort });
  }

  listen(): Promise<ListenerAddress> {
    if (this.#closed !== undefined) {
      const message = "the listener was closed: create a new one with createListener";
      return Promise.reject(new ListenerStartError(message));
    }
    this.#listening ??= this.#listen();
    return this.#listening;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  isReady(): boolean {
    return this.#address !== undefined && this.#endpoint.isReady();
  }

  isStuck(): boolean {
    return this.#endpoint.isStuck();
  }

  get address(): ListenerAddress | undefined {
    return this.#address;
  }

  async #listen(): Promise<ListenerAddress> {
    const { path } = this.#endpoint.first;
    const { host, signals } = this.#settings;
    const port = this.#port;
    const server = this.#createServer();
    try {
      await once(server.listen({ host, port }), "listening");
    } catch (error) {
      this.#listening = undefined;
      throw new ListenerStartError(cannotListen(host, port, error), { cause: error });
    }
    this.#server = server;
    for (const signal of signals) process.on(signal, this.#onSignal);
    await this.#endpoint.start();
    this.#address = addressOf(server, path);
    this.#endpoint.log.info({ ...this.#address }, "listening");
    return this.#address;
  }

  async #close(): Promise<void> {
    if (this.#address === undefined) await this.#listening?.catch(() => {});
    if (this.#server !== undefined) {
      await this.#endpoint.drain();
      await closeServer(this.#server, CLOSE_GRACE_MS);
    }
    await this.#endpoint.close();
    for (const signal of this.#settings.signals) process.off(signal, this.#onSignal);
    this.#address = undefined;
  }

  /** A server for the requests of the webhooks and the health routes. */
  #createServer(): Server {
    const { health } = this.#settings;
    const connections = new AnonymousConnections();
    const server = httpServer((request, response) => {
      // So that the caller does not send its next request on a connection that is about to end.
      if (this.#closed !== undefined) response.setHeader("connection", "close");
      const path = pathOf(String(request.url));
      if (health && answerHealth(request, response, this)) return;
      const exchange = new ServerExchange(request, response, this.#endpoint.log, connections);
      this.#endpoint.receive(exchange, path);
    });
    connections.watch(server);
    answerParserErrors(server, this.#metrics, this.#endpoint.log);
    return server;
  }

  readonly #onSignal = (signal: NodeJS.Signals) => {
    const { log, maxDrainMs } = this.#endpoint;
    if (this.#closed === undefined) {
      log.info({ signal, maxMs: maxDrainMs }, "draining before shutdown");
    } else {
      log.warn({ signal }, "shutting down without waiting for deliveries in flight");
      this.#endpoint.abortDrain();
    }
    void this.close();
  };
}

/** A request of a listener, which limits anonymous connections. */
class ServerExchange extends NodeExchange {
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    log: Log,
    private readonly connections: AnonymousConnections,
  ) {
    super(request, response, log);
  }

  verified(): void {
    this.connections.verified(this.request.socket);
  }

  /** A body that waits for 100 is asked for here, where the caller is verified, and not by Node. */
  override readBody(reader: BodyReader): void {
    const { headers, httpVersion } = this.request;
    if (headers.expect !== undefined && httpVersion === "1.1") this.response.writeContinue();
    super.readBody(reader);
  }
}

function addressOf(server: Server, path: string): ListenerAddress {
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new ListenerStartError("the server has no address");
  }
  const { address: host, port } = address;
  const local = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return { host, port, url: `http://${local.includes(":") ? `[${local}]` : local}:${port}${path}` };
}

/** Time for a request's headers, and for a whole request; Event Grid itself waits 30 s. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** A connection that is reset now loses a response, or a delivery that is just arriving. */
const CLOSE_GRACE_MS = 500;
/** Longer than load balancers keep idle connections, so that they close them and not this server. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/**
 * A server that limits the size of headers, and the time that a request may take. It does not answer
 * `Expect: 100-continue` with 100 by itself.
 */
export function httpServer(onRequest: RequestListener): Server {
  const limits = {
    maxHeaderSize: DELIVERY_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: 2_000,
  };
  return createServer(limits, onRequest).on("checkContinue", onRequest);
}

/**
 * Limits the connections on which no verified request has arrived.
 *
 * When there are too many, the oldest of them is closed. Callers that open connections and send
 * nothing can neither keep Event Grid out nor close a connection that has delivered.
 */
class AnonymousConnections {
  readonly #sockets = new Set<Socket>();

  constructor(private readonly limit = 512) {}

  watch(server: Server): void {
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
      if (this.#sockets.size <= this.limit) return;
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

const parserStatuses: Readonly<Record<string, [status: number, reason: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout"],
};

/**
 * Responds to requests that Node's HTTP parser rejects before any handler sees them, and logs and
 * counts them. The raw packet that comes with the error contains the token, so it is never logged.
 */
function answerParserErrors(server: Server, metrics: ListenerMetrics, log: Log): void {
  const throttle = new LogThrottle<string>(Date.now);
  server.on("clientError", ({ code = "unknown" }: { readonly code?: string }, socket: Socket) => {
    // The caller has disconnected: nobody is left to respond to.
    if (code === "ECONNRESET" || socket.destroyed) return;
    const [status, reason] = parserStatuses[code] ?? [400, "Bad Request"];
    metrics.parserError(status, code);
    throttle.write(code, (counted) =>
      log.warn({ status, code, ...counted }, "request rejected by the HTTP parser"),
    );
    if (socket.writable) {
      socket.write(
        `HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      );
    }
    socket.destroy();
  });
}
