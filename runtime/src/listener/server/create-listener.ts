import type { FastifyInstance } from "fastify";
import type { EventPayloads } from "../../events/index.js";
import { ListenerStartError } from "../errors.js";
import { mount } from "../plugin.js";
import { checkServer, type ListenerOptions, type WebhookOptions } from "../settings/index.js";
import { Webhook } from "../webhook.js";
import { AnonymousConnections } from "./anonymous-connections.js";
import { serverApp } from "./app.js";
import { addHealthRoutes } from "./health.js";

/** A webhook with a server of its own. */
export interface Listener {
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
  /** Whether deliveries are accepted. */
  isReady(): boolean;
  /** The address it listens on; `undefined` while it does not listen. */
  readonly address: ListenerAddress | undefined;
}

/** The address that a listener is bound to. */
export interface ListenerAddress {
  readonly host: string;
  /** The port, also when a free one was requested. */
  readonly port: number;
  /** URL of the webhook on this machine. */
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
  return new StandaloneListener({ drainLagMs: DRAIN_LAG_MS, ...options, binding });
}

type ServerOptions = Omit<ListenerOptions, "events"> & WebhookOptions;

class StandaloneListener implements Listener {
  readonly #options: ServerOptions;
  #server: Server;
  #listening: Promise<ListenerAddress> | undefined;
  #address: ListenerAddress | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: ServerOptions) {
    checkServer(options);
    this.#options = options;
    this.#server = createServer(options);
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
    return this.#address !== undefined && this.#server.webhook.isReady();
  }

  get address(): ListenerAddress | undefined {
    return this.#address;
  }

  async #listen(): Promise<ListenerAddress> {
    const { app, webhook } = this.#server;
    const { host = "0.0.0.0", port = webhook.port, signals = [] } = this.#options;
    try {
      await app.listen({ host, port });
    } catch (error) {
      await app.close();
      // An app that failed to listen cannot be used again: the next attempt gets another.
      this.#server = createServer(this.#options);
      this.#listening = undefined;
      throw cannotListen(host, port, error);
    }
    for (const signal of signals) process.once(signal, this.#onSignal);
    this.#address = addressOf(app, webhook.path);
    return this.#address;
  }

  async #close(): Promise<void> {
    if (this.#address === undefined) await this.#listening?.catch(() => {});
    const { app, webhook } = this.#server;
    if (this.#address !== undefined) await webhook.drain();
    await app.close();
    for (const signal of this.#options.signals ?? []) process.off(signal, this.#onSignal);
    this.#address = undefined;
  }

  readonly #onSignal = (signal: NodeJS.Signals) => {
    this.#server.app.log.info({ signal }, "shutting down");
    void this.close();
  };
}

interface Server {
  readonly app: FastifyInstance;
  readonly webhook: Webhook;
}

function createServer(options: ServerOptions): Server {
  const app = serverApp(options.logger ?? true);
  const connections = new AnonymousConnections(options.anonymousConnections ?? 512);
  connections.watch(app.server);
  const webhook = new Webhook(options, app.log, (request) => connections.verified(request));
  mount(app, webhook);
  if (options.health !== false) addHealthRoutes(app, options.health ?? {}, webhook);
  return { app, webhook };
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

function cannotListen(host: string, port: number, cause: unknown): ListenerStartError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const reason = advice[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return new ListenerStartError(`cannot listen on ${host}:${port}: ${reason}`, { cause });
}

const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use: stop the other server or choose another port",
  EACCES: "this user may not bind the port: choose one from 1024 on",
  EADDRNOTAVAIL: "this machine does not have that address: check `host`",
  ENOTFOUND: "the host name has no address: check `host`",
};
