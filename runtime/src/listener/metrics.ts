import type { Attributes, MeterProvider } from "@opentelemetry/api";
import type { CloudEvent } from "../events/index.js";
import { CollectedCounter, HandlingMetrics } from "../handling/index.js";
import type { Timer } from "../time.js";
import type { DenialReason, TokenVersion } from "./authentication/index.js";

/** The listener's metrics. Every attribute has few values. */
export class ListenerMetrics extends HandlingMetrics {
  readonly #deliveries;
  readonly #handshakes;
  readonly #denials;
  readonly #inFlight;
  readonly #refreshes;
  readonly #parserErrors;

  constructor(
    timer: Timer,
    provider?: MeterProvider,
    destination?: Attributes,
    clock?: () => number,
  ) {
    super("eventgrid.listener", timer, provider, destination, clock);
    const { meter } = this;
    this.#deliveries = new CollectedCounter(meter, "eventgrid.listener.deliveries", {
      description: "Deliveries of verified callers, by response status",
      unit: "{delivery}",
    });
    this.#handshakes = meter.createCounter("eventgrid.listener.handshakes", {
      description: "Handshakes, by result",
      unit: "{handshake}",
    });
    this.#denials = meter.createCounter("eventgrid.listener.authentication.failures", {
      description: "Denied requests, by reason",
      unit: "{request}",
    });
    this.#inFlight = meter.createUpDownCounter("eventgrid.listener.deliveries.in_flight", {
      description: "Deliveries being read or handled",
      unit: "{delivery}",
    });
    this.#refreshes = meter.createCounter("eventgrid.listener.key_refreshes", {
      description: "Fetches of signing keys, by token version and result",
      unit: "{fetch}",
    });
    this.#parserErrors = meter.createCounter("eventgrid.listener.parser_errors", {
      description: "Requests that the HTTP parser rejected, by status and error code",
      unit: "{request}",
    });
  }

  override handlerStarted(pattern: string, event: CloudEvent): void {
    super.handlerStarted(pattern, event);
    this.consumed("process", 1);
  }

  delivery(status: number): void {
    if (this.isOn) this.#deliveries.add(1, this.single("http.response.status_code", status));
  }

  handshake(result: "consented" | "not-consented" | "not-ready"): void {
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
