import type { FastifyInstance } from "fastify";
import { checkServer } from "./configuration-check.js";
import { AnonymousConnections } from "./connections.js";
import { addHealthRoutes } from "./health.js";
import type { ReceivingBinding } from "./listener-binding.js";
import { mount } from "./plugin.js";
import type { Listener, ListenerAddress, ListenerOptions } from "./server.js";
import { serverApp } from "./server-app.js";
import type { WebhookOptions } from "./settings.js";
import { cannotListen, ListenerStartError } from "./start-error.js";
import { Webhook } from "./webhook.js";

export type ServerOptions = Omit<ListenerOptions, "events"> & Pick<WebhookOptions, "events">;

/** A webhook with a server of its own, from its first start to its end. */
export class StandaloneListener implements Listener {
  readonly #make: () => Server;
  readonly #options: ServerOptions;
  #server: Server;
  #listening: Promise<ListenerAddress> | undefined;
  #address: ListenerAddress | undefined;
  #closed: Promise<void> | undefined;

  constructor(binding: ReceivingBinding, options: ServerOptions) {
    checkServer({ ...options, binding });
    this.#options = options;
    this.#make = () => serverOf(binding, options);
    this.#server = this.#make();
  }

  listen(): Promise<ListenerAddress> {
    if (this.#closed !== undefined) {
      const message = "the listener was closed: make a new one with createListener";
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
      this.#server = this.#make();
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
    this.#server.app.log.info({ signal }, "closing");
    void this.close();
  };
}

interface Server {
  readonly app: FastifyInstance;
  readonly webhook: Webhook;
}

function serverOf(binding: ReceivingBinding, options: ServerOptions): Server {
  const app = serverApp(options.logger ?? true);
  const connections = new AnonymousConnections(options.anonymousConnections ?? 512);
  connections.watch(app.server);
  const webhook = new Webhook({ ...options, binding }, app.log, (request) =>
    connections.verified(request),
  );
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
  const named = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return { host, port, url: `http://${named.includes(":") ? `[${named}]` : named}:${port}${path}` };
}
