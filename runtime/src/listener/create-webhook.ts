import type { IncomingMessage, ServerResponse } from "node:http";
import type { InputRuntimeBinding } from "../binding/index.js";
import { CloudEventGridError } from "../errors.js";
import type { EventPayloads } from "../events/index.js";
import type { AnyCatalogue, AnyMiddleware } from "../handling/index.js";
import { beginningOf, type Log, LogThrottle, logOf } from "../observability.js";
import { type CheckedWebhook, checkWebhook, type ServerConstraints } from "./check.js";
import { contentMode } from "./delivery/index.js";
import { type SystemDependencies, systemDependencies } from "./dependencies.js";
import {
  type Exchange,
  NodeExchange,
  WebExchange,
  type WebRequest,
  warnOfHeaderLimit,
} from "./exchange.js";
import type { ListenerOptions, WebhookOptions } from "./options.js";
import { answerEarly } from "./responses.js";
import { Webhook } from "./webhook.js";

/** The webhooks of one or several bindings, for a server of your own. */
export interface WebhookEndpoint {
  /**
   * Serves Node's requests: as the listener of an HTTP server, or as middleware of Express, Koa or
   * NestJS. Mount it before body parsers.
   *
   * It takes `POST` and `OPTIONS` at the webhook's path, and passes every other request on to `next`.
   * Without `next` it answers those with 404 or 405.
   *
   * @returns what `next` returns; for its own requests a promise that resolves when the response has
   * been sent
   */
  readonly node: (
    request: IncomingMessage,
    response: ServerResponse,
    next?: () => unknown,
  ) => unknown;
  /**
   * Serves web requests, such as those of Hono, a route handler of Next.js or an Azure Function.
   *
   * It answers 404 to other paths than the webhook's, and 405 to other methods than `POST` and
   * `OPTIONS`. Never rejects.
   */
  readonly fetch: (request: WebRequest) => Promise<Response>;
  /**
   * Serves another binding at its own path. Settings that are not given have their defaults, not
   * those of the first binding, except for `drainLagMs`.
   *
   * @throws {ConfigurationError} with all problems of the binding and the options, also when the path is
   * taken
   * @throws {ListenerStartError} after `close()`
   */
  add<
    P extends EventPayloads = EventPayloads,
    const M extends readonly AnyMiddleware[] = readonly AnyMiddleware[],
  >(binding: InputRuntimeBinding, options: WebhookOptions<P, M>): void;
  /** Reports whether deliveries are accepted, of every binding. */
  isReady(): boolean;
  /** Reports whether handlers that never end hold all handler slots or all room, so that only a restart helps. */
  isStuck(): boolean;
  /**
   * Turns readiness off, accepts deliveries for `drainLagMs`, then answers 503 to new ones. Resolves
   * when those in progress are finished.
   */
  drain(): Promise<void>;
  /** Drains, and stops fetching keys. */
  close(): Promise<void>;
}

/** Thrown when a listener cannot bind its address, and for calls that come too late. */
export class ListenerStartError extends CloudEventGridError {
  readonly code = "ERR_LISTENER_START";
}

/**
 * Creates the webhook of a binding, to be served by your own server, and requests the signing keys.
 *
 * @example
 * ```ts
 * const webhook = createWebhook(binding, { on: { "shop.order.placed": ship } });
 * express().use(webhook.node);
 * app.all("/api/events", (c) => webhook.fetch(c.req.raw)); // Hono
 * ```
 *
 * @throws {ConfigurationError} with all problems of the binding and the options
 */
export function createWebhook<
  P extends EventPayloads = EventPayloads,
  const M extends readonly AnyMiddleware[] = readonly AnyMiddleware[],
>(
  binding: InputRuntimeBinding,
  options: WebhookOptions<P, M> & Pick<ListenerOptions, "logger">,
): WebhookEndpoint {
  const endpoint = new Endpoint(
    checkWebhook("createWebhook", { ...options, binding }),
    options.logger,
    systemDependencies,
  );
  void endpoint.start();
  return endpoint;
}

/** Webhooks by their paths. They begin with {@link start}. */
export class Endpoint implements WebhookEndpoint {
  readonly log: Log;
  /** The webhook of the first binding. */
  readonly first: Webhook;
  readonly #webhooks = new Map<string, Webhook>();
  readonly #unknownPaths = new LogThrottle<"unknown-path">(Date.now);
  #hasStarted = false;
  #hasCheckedServer = false;
  #closed: Promise<void> | undefined;

  constructor(
    checked: CheckedWebhook,
    logger: ListenerOptions["logger"],
    private readonly system: SystemDependencies,
  ) {
    this.log = logOf(logger);
    this.first = this.#serve(checked);
  }

  /** Requests the signing keys of all webhooks. Resolves when they have been waited for. */
  async start(): Promise<void> {
    this.#hasStarted = true;
    await Promise.all(this.#all.map((webhook) => webhook.start()));
  }

  add(
    binding: InputRuntimeBinding,
    options: AnyCatalogue<WebhookOptions>,
    server?: ServerConstraints,
  ): void {
    if (this.#closed !== undefined) {
      throw new ListenerStartError("the webhook was closed: create a new one with createWebhook");
    }
    const { drainLagMs } = this.first;
    const constraints = { drainLagMs, ...server, paths: this.#webhooks };
    this.#serve(checkWebhook("add", { ...options, binding }, constraints));
  }

  readonly node = (
    request: IncomingMessage & { readonly originalUrl?: string },
    response: ServerResponse,
    next?: () => unknown,
  ): unknown => {
    // Express and its kin shorten `url` below a mount point.
    const path = pathOf(String(request.originalUrl ?? request.url));
    const isServed = this.serves(path);
    const isOurs = isServed && (request.method === "POST" || request.method === "OPTIONS");
    if (!isOurs && next !== undefined) {
      if (!isServed && isEventGrids(request)) {
        response.once("finish", () => {
          if (!wasTaken(response, request.method)) this.#warnOfPath(path);
        });
      }
      return next();
    }
    if (!this.#hasCheckedServer) this.#checkServer(request);
    const exchange = new NodeExchange(request, response, this.log);
    const closed = new Promise<void>((resolve) => exchange.whenClosed(resolve));
    this.receive(exchange, path);
    return closed;
  };

  readonly fetch = (request: WebRequest): Promise<Response> => {
    const exchange = new WebExchange(request, this.log);
    this.receive(exchange, pathOf(request.url));
    return exchange.response;
  };

  isReady(): boolean {
    return this.#all.every((webhook) => webhook.isReady());
  }

  isStuck(): boolean {
    return this.#all.some((webhook) => webhook.isStuck());
  }

  async drain(): Promise<void> {
    await Promise.all(this.#all.map((webhook) => webhook.drain()));
  }

  /** Ends a drain without waiting for deliveries in flight, which Event Grid retries. */
  abortDrain(): void {
    for (const webhook of this.#all) webhook.abortDrain();
  }

  get maxDrainMs(): number {
    return Math.max(...this.#all.map(({ maxDrainMs }) => maxDrainMs));
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.drain();
    await Promise.all(this.#all.map((webhook) => webhook.stop()));
  }

  get #all(): Webhook[] {
    return [...this.#webhooks.values()];
  }

  #serve(checked: CheckedWebhook): Webhook {
    const webhook = new Webhook(checked, this.log, this.system);
    this.#webhooks.set(decodeURI(webhook.path), webhook);
    if (this.#hasStarted) void webhook.start();
    return webhook;
  }

  serves(path: string): boolean {
    return this.#webhooks.has(path);
  }

  /** Takes a request to the webhook at its path, or answers 404. */
  receive(exchange: Exchange, path: string): void {
    const webhook = this.#webhooks.get(path);
    if (webhook === undefined) {
      if (isEventGrids(exchange)) this.#warnOfPath(path);
      answerEarly(exchange, 404);
    } else if (webhook.starting === undefined) {
      void webhook.serve(exchange);
    } else {
      // A function that has just been started by its first delivery does not have the keys yet.
      void webhook.starting.then(() => webhook.serve(exchange));
    }
  }

  #warnOfPath(path: string): void {
    this.#unknownPaths.write("unknown-path", (counted) => {
      const expected = [...this.#webhooks.keys()];
      this.log.warn({ path: beginningOf(path, 100), expected, ...counted }, "no webhook at path");
    });
  }

  #checkServer({ httpVersionMajor, socket }: IncomingMessage): void {
    this.#hasCheckedServer = true;
    if (httpVersionMajor > 1) return; // Its limit is large enough.
    const remedy =
      "create the server with http.createServer({ maxHeaderSize: 65536 }, app), or start Node with --max-http-header-size=65536";
    warnOfHeaderLimit(Reflect.get(socket, "server"), this.log, remedy);
  }
}

/** Reports whether a request looks like a handshake or a delivery. */
function isEventGrids({ method, headers }: Pick<IncomingMessage, "method" | "headers">): boolean {
  if (method === "OPTIONS") return headers["webhook-request-origin"] !== undefined;
  if (method !== "POST") return false;
  return headers["aeg-event-type"] !== undefined || contentMode(headers) !== undefined;
}

/** Reports whether something else in the app, such as another webhook, took a request that was passed on. */
function wasTaken(response: ServerResponse, method: string | undefined): boolean {
  const { statusCode } = response;
  // Frameworks and CORS middleware answer any OPTIONS request.
  if (method === "OPTIONS") return statusCode >= 500 || response.hasHeader(CONSENT);
  return statusCode !== 404 && statusCode !== 405;
}

const CONSENT = "webhook-allowed-origin";

const SCHEME_AND_HOST = /^https?:\/\/[^/?#]*/i;

/**
 * A URL's path as webhooks' paths are compared: decoded and without the query. Requests of proxies may
 * have an absolute URL, and web requests without a host may have none.
 */
export function pathOf(url: string): string {
  const target = url.startsWith("/") ? url : url.replace(SCHEME_AND_HOST, "");
  const query = target.indexOf("?");
  const path = query === -1 ? target : target.slice(0, query);
  if (!path.includes("%")) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
