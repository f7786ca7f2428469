import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { PullRuntimeBinding } from "../binding/index.js";
import { CloudEventGridError } from "../errors.js";
import type { EventPayloads } from "../events/index.js";
import type { AnyCatalogue, AnyMiddleware } from "../handling/index.js";
import { answerHealth, answerJson, cannotListen, closeServer } from "../network.js";
import { type Log, logOf } from "../observability.js";
import { type Clock, monotonicClock } from "../time.js";
import { QueueReceiver } from "./receiver.js";
import { type ReceiverOptions, type ReceiverSettings, receiverSettings } from "./settings.js";

/** Thrown when a receiver cannot start: its health port is in use, or it was closed before. */
export class ReceiverStartError extends CloudEventGridError {
  readonly code = "ERR_RECEIVER_START";
}

/** Pulls events from the queue of an event subscription, and handles them. */
export interface Receiver extends AsyncDisposable {
  /**
   * Starts to receive, and to serve the health routes. Whether the namespace lets it is reported by
   * {@link isReady} and in the log: it keeps trying. Calling it again changes nothing.
   *
   * @throws {ReceiverStartError} when the health port cannot be bound; it can be called again then.
   * After `close()` always: create a new receiver
   */
  start(): Promise<void>;
  /**
   * Stops receiving, releases the events that wait for a handler, lets running handlers finish for up
   * to `drainTimeoutMs`, and repeats settlements that fail for up to 10 s more. Then it closes all
   * connections. Calling it again changes nothing.
   */
  close(): Promise<void>;
  /** Reports whether events are received: the namespace accepts the requests, and it is not closing. */
  isReady(): boolean;
  /** Reports whether handlers that never end hold all handler slots, so that only a restart helps. */
  isStuck(): boolean;
  /** The port of the health routes; `undefined` while there are none. */
  readonly healthPort: number | undefined;
}

/**
 * Creates a receiver for the event subscription of a namespace topic. Call `start()` to receive.
 *
 * @example
 * ```ts
 * const receiver = createReceiver(pullBindingFromEnvironment("ORDERS"), {
 *   events: orders,
 *   on: { "shop.order.placed": async (event, { signal }) => ship(event.data.orderId, signal) },
 *   credential: new DefaultAzureCredential(),
 *   signals: ["SIGTERM"],
 * });
 * await receiver.start();
 * ```
 *
 * @throws {ConfigurationError} with all problems of the binding and the options
 */
export function createReceiver<
  P extends EventPayloads = EventPayloads,
  const M extends readonly AnyMiddleware[] = readonly AnyMiddleware[],
>(binding: PullRuntimeBinding, options: ReceiverOptions<P, M>): Receiver {
  return createReceiverWith(binding, options);
}

/**
 * {@link createReceiver} with a timer and random numbers that replace the machine's, for tests. The
 * package does not export it.
 */
export function createReceiverWith(
  binding: PullRuntimeBinding,
  options: AnyCatalogue<ReceiverOptions>,
  { timer = monotonicClock, random = Math.random }: { timer?: Clock; random?: () => number } = {},
): Receiver {
  return new StandaloneReceiver(receiverSettings(binding, options), timer, random);
}

class StandaloneReceiver implements Receiver {
  readonly #settings: ReceiverSettings;
  readonly #log: Log;
  readonly #queue: QueueReceiver;
  #health: Server | undefined;
  #started: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(settings: ReceiverSettings, timer: Clock, random: () => number) {
    this.#settings = settings;
    this.#log = logOf(settings.logger);
    this.#queue = new QueueReceiver(settings, this.#log, timer, random);
  }

  start(): Promise<void> {
    if (this.#closed !== undefined) {
      const message = "the receiver was closed: create a new one with createReceiver";
      return Promise.reject(new ReceiverStartError(message));
    }
    this.#started ??= this.#start();
    return this.#started;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  isReady(): boolean {
    return this.#closed === undefined && this.#queue.isReady();
  }

  isStuck(): boolean {
    return this.#queue.isStuck();
  }

  get healthPort(): number | undefined {
    const address = this.#health?.address();
    return typeof address === "object" ? address?.port : undefined;
  }

  async #start(): Promise<void> {
    await this.#serveHealth();
    for (const signal of this.#settings.signals) process.on(signal, this.#onSignal);
    // It may have been closed meanwhile.
    if (this.#closed === undefined) this.#queue.start();
  }

  async #serveHealth(): Promise<void> {
    const { health } = this.#settings;
    if (health === undefined) return;
    const server = createServer((request, response) => {
      if (answerHealth(request, response, this)) return;
      answerJson(response, 404, { message: "Not found." });
    });
    try {
      await once(server.listen(health.port, health.host), "listening");
    } catch (cause) {
      this.#started = undefined;
      throw new ReceiverStartError(cannotListen(health.host, health.port, cause), { cause });
    }
    this.#health = server;
  }

  async #close(): Promise<void> {
    await this.#started?.catch(() => {});
    await this.#queue.close();
    if (this.#health !== undefined) await closeServer(this.#health);
    this.#health = undefined;
    for (const signal of this.#settings.signals) process.off(signal, this.#onSignal);
  }

  readonly #onSignal = (signal: NodeJS.Signals) => {
    if (this.#closed === undefined) {
      this.#log.info({ signal, maxMs: this.#queue.maxDrainMs }, "draining before shutdown");
    } else {
      this.#log.warn({ signal }, "shutting down without waiting for handlers");
      this.#queue.abortDrain();
    }
    void this.close();
  };
}
