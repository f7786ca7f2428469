import type { FastifyInstance } from "fastify";
import { CloudEventGridError } from "../errors.js";
import type { EventCatalogue } from "../events/index.js";
import { AnonymousConnections } from "./connections.js";
import type { EventHandlers, Payloads } from "./handlers.js";
import { addHealthRoutes, type HealthPaths } from "./health.js";
import type { ReceivingBinding } from "./listener-binding.js";
import { mount } from "./plugin.js";
import { type LoggerOption, serverApp } from "./server-app.js";
import type { WebhookOptions, WebhookSettings } from "./settings.js";
import { Webhook } from "./webhook.js";

/** What can be set of a standalone server. */
export interface ListenerOptions<P extends Payloads = Payloads> extends WebhookSettings {
  /** The event types this service deals in. Their schemas are checked before a handler runs. */
  readonly events?: EventCatalogue<P>;
  readonly on: EventHandlers<P>;
  /**
   * Address to listen on.
   * @default "0.0.0.0", every IPv4 address
   */
  readonly host?: string;
  /**
   * Port to listen on, where it is not the binding's `handshakePort`; 0 takes a free one.
   */
  readonly port?: number;
  /**
   * A pino logger, pino's options, or `false` for no log.
   * @default pino to standard output, level "info"
   */
  readonly logger?: LoggerOption;
  /** Paths of the health routes; `false` for none. */
  readonly health?: HealthPaths | false;
  /**
   * Signals upon which the listener closes, such as `["SIGTERM", "SIGINT"]`. The process ends by
   * itself when nothing else keeps it; it is never exited.
   * @default none
   */
  readonly signals?: readonly NodeJS.Signals[];
  /**
   * Connections that may be open without a verified request; beyond, the oldest is closed.
   * @default 512
   */
  readonly anonymousConnections?: number;
}

/** A webhook with a server of its own. */
export interface Listener {
  /**
   * Starts to listen; the signing keys have been asked for when it resolves.
   *
   * @throws {ListenerStartError} when the port is taken, or cannot be had
   */
  listen(): Promise<ListenerAddress>;
  /** Drains, then closes. Calling it again changes nothing. */
  close(): Promise<void>;
  /** Whether deliveries are welcome. */
  isReady(): boolean;
  /** Where it listens; `undefined` while it does not. */
  readonly address: ListenerAddress | undefined;
}

export interface ListenerAddress {
  readonly host: string;
  readonly port: number;
  /** URL of the webhook on this machine. */
  readonly url: string;
}

/** Thrown when a listener cannot listen. */
export class ListenerStartError extends CloudEventGridError {
  readonly code = "ERR_LISTENER_START";
}

/**
 * Makes a server for the webhook of a binding, on the binding's `handshakePort`.
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
 * @throws {BindingConfigurationError} when the binding has no complete input half
 * @throws {ListenerConfigurationError} when handlers or settings cannot work
 */
export function createListener<P extends Payloads = Payloads>(
  binding: ReceivingBinding,
  options: ListenerOptions<P>,
): Listener {
  return new StandaloneListener(binding, { drainLagMs: DRAIN_LAG_MS, ...options });
}

/** What a load balancer usually needs to notice that a replica is not ready any more. */
const DRAIN_LAG_MS = 5_000;

type ServerOptions = Omit<ListenerOptions, "events"> & Pick<WebhookOptions, "events">;

class StandaloneListener implements Listener {
  readonly #app: FastifyInstance;
  readonly #webhook: Webhook;
  readonly #options: ServerOptions;
  #address: ListenerAddress | undefined;
  #closed: Promise<void> | undefined;

  constructor(binding: ReceivingBinding, options: ServerOptions) {
    this.#options = options;
    this.#app = serverApp(options.logger ?? true);
    const connections = new AnonymousConnections(options.anonymousConnections ?? 512);
    connections.watch(this.#app.server);
    this.#webhook = new Webhook({ ...options, binding }, this.#app.log, (request) =>
      connections.verified(request),
    );
    mount(this.#app, this.#webhook);
    if (options.health !== false) addHealthRoutes(this.#app, options.health ?? {}, this.#webhook);
  }

  async listen(): Promise<ListenerAddress> {
    const { host = "0.0.0.0", port = this.#webhook.port, signals = [] } = this.#options;
    try {
      await this.#app.listen({ host, port });
    } catch (error) {
      await this.#app.close();
      const advice = isTaken(error) ? "another process has it: end that, or take another port" : "";
      throw new ListenerStartError(`cannot listen on ${host}:${port}${advice && `: ${advice}`}`, {
        cause: error,
      });
    }
    for (const signal of signals) process.once(signal, this.#onSignal);
    this.#address = addressOf(this.#app, this.#webhook.path);
    return this.#address;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  isReady(): boolean {
    return this.#address !== undefined && this.#webhook.isReady();
  }

  get address(): ListenerAddress | undefined {
    return this.#address;
  }

  async #close(): Promise<void> {
    await this.#webhook.drain();
    await this.#app.close();
    for (const signal of this.#options.signals ?? []) process.off(signal, this.#onSignal);
    this.#address = undefined;
  }

  readonly #onSignal = (signal: NodeJS.Signals) => {
    this.#app.log.info({ signal }, "closing");
    void this.close();
  };
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}

function addressOf(app: FastifyInstance, path: string): ListenerAddress {
  const address = app.server.address();
  if (address === null || typeof address === "string") {
    throw new ListenerStartError("the server has no address");
  }
  const { address: host, port } = address;
  const named = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return { host, port, url: `http://${named.includes(":") ? `[${named}]` : named}:${port}${path}` };
}
