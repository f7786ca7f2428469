import type { FastifyReply, FastifyRequest } from "fastify";
import { beginningOf, LogThrottle } from "../../log.js";
import type { Timer } from "../../timer.js";
import { headerText } from "../intake/index.js";
import type { ListenerMetrics } from "../metrics.js";
import { ANY_RATE, HandshakeCallback } from "./callback.js";

export interface HandshakeDependencies {
  readonly allowedOrigins: readonly string[];
  /** Whether to call the URL that a handshake may offer. */
  readonly callback: boolean;
  readonly metrics: ListenerMetrics;
  readonly isReady: () => boolean;
  readonly fetch: typeof fetch;
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  readonly timer: Timer;
}

/**
 * Responds to the `OPTIONS` request by which Event Grid asks whether it may deliver.
 *
 * It needs no token: consent is given to an origin, in response headers.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/http-webhook.md
 */
export class Handshake {
  readonly #dependencies: HandshakeDependencies;
  readonly #origins: ReadonlySet<string>;
  readonly #throttle: LogThrottle<"consented" | "not-consented" | "not-ready">;
  readonly #callback: HandshakeCallback | undefined;

  constructor(dependencies: HandshakeDependencies) {
    const { allowedOrigins, callback, now } = dependencies;
    this.#dependencies = dependencies;
    this.#origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
    this.#throttle = new LogThrottle(now);
    if (callback) {
      this.#callback = new HandshakeCallback({ ...dependencies, origins: this.#origins });
    }
  }

  answer(request: FastifyRequest, reply: FastifyReply): void {
    const { metrics, isReady } = this.#dependencies;
    const { log } = request;
    const origin = headerText(request.headers["webhook-request-origin"])?.toLowerCase();
    const shown = { origin: origin && beginningOf(origin, 100) };
    reply.header("allow", "POST");
    if (!isReady()) {
      metrics.handshake("not-ready");
      this.#throttle.write("not-ready", (counted) =>
        log.warn({ ...shown, ...counted }, "handshake refused: the listener is not ready"),
      );
      reply.code(503).send();
      return;
    }
    if (origin === undefined || !this.#origins.has(origin)) {
      // A request without an origin is a health check or a person, not a handshake.
      if (origin !== undefined) {
        metrics.handshake("not-consented");
        this.#throttle.write("not-consented", (counted) =>
          log.warn({ ...shown, ...counted }, "handshake without consent: origin not allowed"),
        );
      }
      reply.code(200).send();
      return;
    }
    metrics.handshake("consented");
    this.#throttle.write("consented", (counted) =>
      log.info({ ...shown, ...counted }, "handshake accepted"),
    );
    reply.code(200).header("webhook-allowed-origin", origin);
    reply.header("webhook-allowed-rate", ANY_RATE);
    reply.send();
    const callback = headerText(request.headers["webhook-request-callback"]);
    if (callback !== undefined) {
      reply.raw.once("finish", () => void this.#callback?.call(callback, log));
    }
  }
}
