import type { Attributes, MeterProvider } from "@opentelemetry/api";
import type { CloudEvent } from "../events/index.js";
import { HandlingMetrics } from "../handling/index.js";
import type { Clock } from "../time.js";
import type { DenialReason, TokenVersion } from "./authentication/index.js";

export type HandshakeResult = "consented" | "not-consented" | "not-ready";

/** The listener's metrics. Every attribute has few values. */
export class ListenerMetrics extends HandlingMetrics {
  readonly #deliveries;
  readonly #handshakes;
  readonly #denials;
  readonly #inFlight;
  readonly #refreshes;
  readonly #parserErrors;

  constructor(
    timer: Clock,
    provider?: MeterProvider,
    destination?: Attributes,
    clock?: () => number,
  ) {
    super("eventgrid.listener", timer, provider, destination, clock);
    const deliveries = "Deliveries of verified callers, by response status";
    this.#deliveries = this.collected("deliveries", deliveries, "{delivery}");
    this.#handshakes = this.counter("handshakes", "Handshakes, by result", "{handshake}");
    const denials = "Denied requests, by reason";
    this.#denials = this.counter("authentication.failures", denials, "{request}");
    const inFlight = "Deliveries being read or handled";
    this.#inFlight = this.sum("deliveries.in_flight", inFlight, "{delivery}");
    const refreshes = "Fetches of signing keys, by token version and result";
    this.#refreshes = this.counter("key_refreshes", refreshes, "{fetch}");
    const parserErrors = "Requests that the HTTP parser rejected, by status and error code";
    this.#parserErrors = this.counter("parser_errors", parserErrors, "{request}");
  }

  override handlerStarted(pattern: string, event: CloudEvent): void {
    super.handlerStarted(pattern, event);
    this.consumed("process", 1);
  }

  delivery(status: number): void {
    if (!this.isOn) return;
    this.#deliveries.add(1, `${status}`, () => ({ "http.response.status_code": status }));
  }

  handshake(result: HandshakeResult): void {
    this.#handshakes.add(1, this.single("eventgrid.handshake.result", result));
  }

  denial(reason: DenialReason): void {
    if (this.isOn) this.#denials.add(1, this.single("eventgrid.denial.reason", reason));
  }

  inFlight(change: 1 | -1): void {
    this.#inFlight.add(change);
  }

  keyRefresh(version: TokenVersion, succeeded: boolean): void {
    this.#refreshes.add(1, {
      "eventgrid.token.version": version,
      "eventgrid.refresh.result": succeeded ? "succeeded" : "failed",
    });
  }

  parserError(status: number, code: string): void {
    this.#parserErrors.add(1, { "http.response.status_code": status, "error.type": code });
  }
}
