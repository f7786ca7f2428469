import type { FastifyReply, FastifyRequest } from "fastify";
import type { ListenedBinding } from "./listener-binding.js";
import type { ListenerMetrics } from "./metrics.js";
import type { HandshakeSettings } from "./settings.js";

export interface HandshakeOptions {
  readonly settings: HandshakeSettings;
  readonly metrics: ListenerMetrics;
  readonly isReady: () => boolean;
  readonly fetch: typeof fetch;
}

/**
 * Answers the `OPTIONS` request by which Event Grid asks whether it may deliver.
 *
 * Nobody is authenticated: consent is given to an origin, and lies in the headers alone.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/http-webhook.md
 */
export class Handshake {
  readonly #options: HandshakeOptions;
  readonly #origins: ReadonlySet<string>;
  readonly #rate: string;

  constructor(binding: ListenedBinding, options: HandshakeOptions) {
    const { allowedOrigins = binding.cloud.handshakeOrigins, allowedRate = "*" } = options.settings;
    this.#options = options;
    this.#origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
    this.#rate = String(allowedRate);
  }

  answer(request: FastifyRequest, reply: FastifyReply): void {
    const { settings, metrics, isReady } = this.#options;
    const origin = textOf(request.headers["webhook-request-origin"])?.toLowerCase();
    reply.header("allow", "POST");
    if (!isReady()) {
      metrics.handshake("not-ready");
      request.log.warn({ origin: origin?.slice(0, 100) }, "handshake before the listener is ready");
      reply.code(503).send();
      return;
    }
    if (origin === undefined || !this.#origins.has(origin)) {
      if (origin !== undefined) {
        metrics.handshake("not-consented");
        request.log.warn({ origin: origin.slice(0, 100) }, "handshake of an origin not allowed");
      }
      reply.code(200).send();
      return;
    }
    metrics.handshake("consented");
    request.log.info({ origin }, "handshake");
    reply.code(200).header("webhook-allowed-origin", origin);
    reply.header("webhook-allowed-rate", this.#rate);
    reply.send();
    const callback = textOf(request.headers["webhook-request-callback"]);
    if (settings.callback === true && callback !== undefined) {
      reply.raw.once("finish", () => void this.#call(callback, request));
    }
  }

  async #call(callback: string, { log }: FastifyRequest): Promise<void> {
    const url = URL.canParse(callback) ? new URL(callback) : undefined;
    if (url === undefined || !this.#isOfAllowedOrigin(url)) {
      log.warn(
        { host: url?.host },
        "handshake callback is not on a host of the origin: not called",
      );
      return;
    }
    // Path and query hold the callback's secret: the log has the host only.
    const line = { host: url.host };
    try {
      const signal = AbortSignal.timeout(CALLBACK_TIMEOUT_MS);
      const response = await this.#options.fetch(url, {
        method: "POST",
        redirect: "error",
        headers: { "webhook-allowed-rate": this.#rate },
        signal,
      });
      await response.body?.cancel();
      log.info({ ...line, status: response.status }, "handshake callback called");
    } catch (error) {
      const reason = error instanceof Error ? error.name : "Error";
      log.warn({ ...line, reason }, "handshake callback failed");
    }
  }

  #isOfAllowedOrigin(url: URL): boolean {
    if (url.protocol !== "https:") return false;
    if (url.username !== "" || url.password !== "") return false;
    return [...this.#origins].some(
      (origin) => url.host === origin || url.host.endsWith(`.${origin}`),
    );
  }
}

const CALLBACK_TIMEOUT_MS = 10_000;

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined;
}
