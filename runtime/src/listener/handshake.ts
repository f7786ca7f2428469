import type { FastifyReply, FastifyRequest } from "fastify";
import { HandshakeCallback } from "./handshake-callback.js";
import { HandshakeLog } from "./handshake-log.js";
import { headerText } from "./headers.js";
import type { ListenedBinding } from "./listener-binding.js";
import type { ListenerMetrics } from "./metrics.js";
import type { HandshakeSettings } from "./settings.js";

export interface HandshakeOptions {
  readonly settings: HandshakeSettings;
  readonly metrics: ListenerMetrics;
  readonly isReady: () => boolean;
  readonly fetch: typeof fetch;
  readonly clock: () => number;
}

/**
 * Answers the `OPTIONS` request by which Event Grid asks whether it may deliver.
 *
 * Nobody is authenticated: consent is given to an origin, and lies in the headers alone.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/http-webhook.md
 */
export class Handshake {
  readonly #metrics: ListenerMetrics;
  readonly #isReady: () => boolean;
  readonly #origins: ReadonlySet<string>;
  readonly #rate: string;
  readonly #log: HandshakeLog;
  readonly #callback: HandshakeCallback | undefined;

  constructor(binding: ListenedBinding, { settings, metrics, isReady, ...rest }: HandshakeOptions) {
    const { allowedOrigins = binding.cloud.handshakeOrigins, allowedRate = "*" } = settings;
    this.#metrics = metrics;
    this.#isReady = isReady;
    this.#origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
    this.#rate = String(allowedRate);
    this.#log = new HandshakeLog(rest.clock);
    if (settings.callback === true) {
      this.#callback = new HandshakeCallback({
        origins: this.#origins,
        rate: this.#rate,
        fetch: rest.fetch,
        log: this.#log,
      });
    }
  }

  answer(request: FastifyRequest, reply: FastifyReply): void {
    const origin = headerText(request.headers["webhook-request-origin"])?.toLowerCase();
    const shown = { origin: origin?.slice(0, 100) };
    reply.header("allow", "POST");
    if (!this.#isReady()) {
      this.#metrics.handshake("not-ready");
      this.#log.write("notReady", shown, request.log);
      reply.code(503).send();
      return;
    }
    if (origin === undefined || !this.#origins.has(origin)) {
      if (origin !== undefined) {
        this.#metrics.handshake("not-consented");
        this.#log.write("notConsented", shown, request.log);
      }
      reply.code(200).send();
      return;
    }
    this.#metrics.handshake("consented");
    this.#log.write("consented", shown, request.log);
    reply.code(200).header("webhook-allowed-origin", origin);
    reply.header("webhook-allowed-rate", this.#rate);
    reply.send();
    const callback = headerText(request.headers["webhook-request-callback"]);
    if (callback !== undefined) {
      reply.raw.once("finish", () => void this.#callback?.call(callback, request.log));
    }
  }
}
