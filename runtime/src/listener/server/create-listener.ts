import type {
  Server as HttpServer,
  IncomingMessage,
  RequestListener,
  ServerResponse,
} from "node:http";
import type { FastifyInstance } from "fastify";
import { cannotListen } from "../../cannot-listen.js";
import { systemClock } from "../../clock.js";
import type { EventPayloads } from "../../events/index.js";
import { ListenerStartError } from "../../listener-errors.js";
import type { Log } from "../../log.js";
import { realTimer, type Timer } from "../../timer.js";
import type { BodyReader } from "../exchange.js";
import { NodeExchange, pathOf } from "../hosts/index.js";
import { ListenerMetrics } from "../metrics.js";
import {
  type BindingOptions,
  type CheckedWebhook,
  checkAddedWebhook,
  checkServer,
  type ListenerOptions,
  type WebhookOptions,
} from "../settings/index.js";
import { Webhook } from "../webhook.js";
import { AnonymousConnections } from "./anonymous-connections.js";
import { type Fastify, serverApp } from "./app.js";
import { addHealthRoutes } from "./health.js";
import { bindOtherAddresses, httpServer } from "./http-server.js";

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
   * @throws {BindingConfigurationError} when only the binding is invalid
   * @throws {ListenerConfigurationError} otherwise, also when the path is taken
   * @throws {ListenerStartError} when the listener has been started
   */
  add<P extends EventPayloads = EventPayloads>(
    binding: WebhookOptions["binding"],
    options: BindingOptions<P>,
  ): void;
  /**
   * Starts to listen. Resolves when the signing keys have been requested. Calling it again while it
   * listens changes nothing; after a failure it tries again.
   *
   * @throws {ListenerStartError} when the address cannot be bound; nothing stays bound then. When
   * Fastify is not installed. After `close()` always: create a new listener
   */
  listen(): Promise<ListenerAddress>;
  /** Drains, then closes. Calling it again changes nothing. */
  close(): Promise<void>;
  /** Whether deliveries are accepted, of every binding. */
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
 * @throws {BindingConfigurationError} when only the binding is invalid
 * @throws {ListenerConfigurationError} otherwise, with all problems, the binding's included
 */
export function createListener<P extends EventPayloads = EventPayloads>(
  binding: WebhookOptions["binding"],
  options: ListenerOptions<P>,
): Listener {
  return createListenerWith(binding, options);
}

/**
 * {@link createListener} with a timer that replaces the machine's, for tests. The package does not
 * export it.
 */
export function createListenerWith<P extends EventPayloads = EventPayloads>(
  binding: WebhookOptions["binding"],
  options: ListenerOptions<P>,
  timer?: Timer,
): Listener {
  return new StandaloneListener(withDrainLag({ ...options, binding }), timer);
}

/** Fills in the default of the standalone server, also if the option is `undefined`. */
function withDrainLag<Options extends WebhookOptions>(options: Options): Options {
  return { ...options, drainLagMs: options.drainLagMs ?? DRAIN_LAG_MS };
}

type ServerOptions = Omit<ListenerOptions, "events"> & WebhookOptions;

class StandaloneListener implements Listener {
  readonly #options: ServerOptions;
  readonly #timer: Timer;
  readonly #checked: [CheckedWebhook, ...CheckedWebhook[]];
  #server: Server | undefined;
  #listening: Promise<ListenerAddress> | undefined;
  #address: ListenerAddress | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: ServerOptions, timer = realTimer) {
    this.#checked = [checkServer(options)];
    this.#timer = timer;
    this.#options = options;
  }

  add<P extends EventPayloads>(
    binding: WebhookOptions["binding"],
    options: BindingOptions<P>,
  ): void {
    if (this.#listening !== undefined || this.#closed !== undefined) {
      throw new ListenerStartError("the listener has been started: add bindings before listen()");
    }
    const { drainLagMs = this.#options.drainLagMs } = options;
    const added: WebhookOptions = { ...options, drainLagMs, binding };
    this.#checked.push(checkAddedWebhook(added, this.#options, this.#checked));
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
    return this.#address !== undefined && isReady(this.#server?.webhooks ?? []);
  }

  get address(): ListenerAddress | undefined {
    return this.#address;
  }

  async #listen(): Promise<ListenerAddress> {
    // An app that failed to listen cannot be used again, so each attempt gets its own.
    const server = createServer(loadFastify(), this.#options, this.#checked, this.#timer);
    const { app, webhooks } = server;
    const [{ port: bindingPort, path }] = webhooks;
    const { host = "0.0.0.0", port = bindingPort, signals = [] } = this.#options;
    try {
      await app.listen({ host, port });
      if (host === "localhost") await bindOtherAddresses(app.server, server.another);
    } catch (error) {
      await app.close();
      this.#listening = undefined;
      throw new ListenerStartError(cannotListen(host, port, error), { cause: error });
    }
    for (const signal of signals) process.on(signal, this.#onSignal);
    this.#server = server;
    this.#address = addressOf(app, path);
    return this.#address;
  }

  async #close(): Promise<void> {
    if (this.#address === undefined) await this.#listening?.catch(() => {});
    if (this.#server === undefined) return;
    const { app, webhooks } = this.#server;
    await Promise.all(webhooks.map((webhook) => webhook.drain()));
    await app.close();
    for (const signal of this.#options.signals ?? []) process.off(signal, this.#onSignal);
    this.#address = undefined;
  }

  readonly #onSignal = (signal: NodeJS.Signals) => {
    if (this.#server === undefined) return;
    const { app, webhooks } = this.#server;
    if (this.#closed === undefined) {
      const maxMs = Math.max(...webhooks.map(({ maxDrainMs }) => maxDrainMs));
      app.log.info({ signal, maxMs }, "draining before shutdown");
    } else {
      app.log.warn({ signal }, "shutting down without waiting for deliveries in flight");
      for (const webhook of webhooks) webhook.abortDrain();
    }
    void this.close();
  };
}

interface Server {
  readonly app: FastifyInstance;
  readonly webhooks: readonly [Webhook, ...Webhook[]];
  /** Creates another server for the same requests. */
  readonly another: () => HttpServer;
}

/** A request of the standalone server, which limits anonymous connections. */
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

/** @throws {ListenerStartError} when the package is not installed */
function loadFastify(): Fastify {
  try {
    // Bundlers accept that an optional package is missing only if `require` is in a `try`.
    return require("fastify");
  } catch (cause) {
    if (!isMissingFastify(cause)) throw cause;
    const message =
      "createListener needs Fastify: run npm install fastify, or serve the webhook in your own server with createWebhook";
    throw new ListenerStartError(message, { cause });
  }
}

function isMissingFastify(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "MODULE_NOT_FOUND" &&
    error.message.includes("'fastify'")
  );
}

function createServer(
  fastify: Fastify,
  options: ServerOptions,
  [first, ...others]: readonly [CheckedWebhook, ...CheckedWebhook[]],
  timer: Timer,
): Server {
  const metrics = new ListenerMetrics(timer, options.telemetry?.meterProvider);
  const connections = new AnonymousConnections();
  const byPath = new Map<string, Webhook>();
  // Deliveries go straight to their webhook, without the cost of Fastify's routing.
  const serverFor = (otherRequests: RequestListener) => {
    const server = httpServer((request, response) => {
      const webhook = byPath.get(pathOf(request.url ?? ""));
      if (webhook === undefined) return otherRequests(request, response);
      void webhook.serve(new ServerExchange(request, response, app.log, connections));
    });
    connections.watch(server);
    return server;
  };
  const app = serverApp(fastify, options.logger ?? true, serverFor, metrics, () =>
    (options.clock ?? systemClock).now(),
  );
  const serve = (checked: CheckedWebhook) => {
    const webhook = new Webhook(checked, app.log, timer);
    byPath.set(decodeURI(webhook.path), webhook);
    app.addHook("onReady", () => webhook.start());
    app.addHook("onClose", async () => {
      await webhook.drain(0);
      await webhook.stop();
    });
    return webhook;
  };
  const webhooks: [Webhook, ...Webhook[]] = [serve(first), ...others.map(serve)];
  if (options.health !== false) {
    addHealthRoutes(app, options.health ?? {}, {
      isReady: () => isReady(webhooks),
      isStuck: () => webhooks.some((webhook) => webhook.isStuck()),
    });
  }
  return { app, webhooks, another: () => serverFor(app.routing) };
}

function isReady(webhooks: readonly Webhook[]): boolean {
  return webhooks.every((webhook) => webhook.isReady());
}

function addressOf(app: FastifyInstance, path: string): ListenerAddress {
  const address = app.server.address();
  if (address === null || typeof address === "string") {
    throw new ListenerStartError("the server has no address");
  }
  const { address: host, port } = address;
  const local = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return { host, port, url: `http://${local.includes(":") ? `[${local}]` : local}:${port}${path}` };
}
