import type { EventCatalogue, EventPayloads } from "../events/index.js";
import type { EventHandlers } from "./handlers.js";
import type { HealthPaths } from "./health.js";
import type { ReceivingBinding } from "./listener-binding.js";
import type { LoggerOption } from "./server-app.js";
import type { WebhookSettings } from "./settings.js";
import { StandaloneListener } from "./standalone-listener.js";

/** What can be set of a standalone server. */
export interface ListenerOptions<P extends EventPayloads = EventPayloads> extends WebhookSettings {
  /** The event types this service deals in. Their schemas are checked before a handler runs. */
  readonly events?: EventCatalogue<P>;
  /** Handlers by event type, by prefix (`"Microsoft.Storage.*"`) and for the rest (`"*"`). */
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
   * Starts to listen; the signing keys have been asked for when it resolves. Calling it again
   * while it listens changes nothing; after a failure it is another attempt.
   *
   * @throws {ListenerStartError} when the port is taken, or cannot be had; nothing is left bound.
   * After `close()` always: make a new listener then
   */
  listen(): Promise<ListenerAddress>;
  /** Drains, then closes. Calling it again changes nothing. */
  close(): Promise<void>;
  /** Whether deliveries are welcome. */
  isReady(): boolean;
  /** Where it listens; `undefined` while it does not. */
  readonly address: ListenerAddress | undefined;
}

/** Where a listener listens. */
export interface ListenerAddress {
  /** Address that it is bound to. */
  readonly host: string;
  /** Port that it took: `port`, or a free one where that is 0. */
  readonly port: number;
  /** URL of the webhook on this machine. */
  readonly url: string;
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
 * @throws {BindingConfigurationError} when nothing but the binding is wrong
 * @throws {ListenerConfigurationError} otherwise, with all problems, the binding's too
 */
export function createListener<P extends EventPayloads = EventPayloads>(
  binding: ReceivingBinding,
  options: ListenerOptions<P>,
): Listener {
  return new StandaloneListener(binding, { drainLagMs: DRAIN_LAG_MS, ...options });
}

/** What a load balancer usually needs to notice that a replica is not ready any more. */
const DRAIN_LAG_MS = 5_000;
