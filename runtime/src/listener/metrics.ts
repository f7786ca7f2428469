import { type Attributes, createNoopMeter, type MeterProvider, metrics } from "@opentelemetry/api";
import { INSTRUMENTATION } from "../instrumentation.js";
import type { TokenVersion } from "./claims.js";
import type { DenialReason } from "./denial.js";
import type { Outcome } from "./outcome.js";

/**
 * The listener's measurements. Attributes have few values each: an event's type is the pattern of
 * its handler, never a text that a caller chose.
 */
export class ListenerMetrics {
  readonly #deliveries;
  readonly #events;
  readonly #duration;
  readonly #handshakes;
  readonly #denials;
  readonly #inFlight;
  readonly #refreshes;
  /** Whether anybody measures: attributes are not looked up for nobody. */
  readonly #isOn: boolean;
  readonly #attributes = new Map<string, Attributes>();

  constructor(provider: MeterProvider = metrics.getMeterProvider()) {
    const meter = provider.getMeter(INSTRUMENTATION);
    this.#isOn = meter !== createNoopMeter();
    this.#deliveries = meter.createCounter("eventgrid.listener.deliveries", {
      description: "Deliveries of verified callers, by the status of their answer",
      unit: "{delivery}",
    });
    this.#events = meter.createCounter("eventgrid.listener.events", {
      description: "Events, by the pattern of their handler and by outcome",
      unit: "{event}",
    });
    this.#duration = meter.createHistogram("eventgrid.listener.handler.duration", {
      description: "How long handlers ran",
      unit: "s",
    });
    this.#handshakes = meter.createCounter("eventgrid.listener.handshakes", {
      description: "Handshakes, by result",
      unit: "{handshake}",
    });
    this.#denials = meter.createCounter("eventgrid.listener.authentication.failures", {
      description: "Requests that were not let in, by reason",
      unit: "{request}",
    });
    this.#inFlight = meter.createUpDownCounter("eventgrid.listener.deliveries.in_flight", {
      description: "Deliveries being taken in or handled",
      unit: "{delivery}",
    });
    this.#refreshes = meter.createCounter("eventgrid.listener.key_refreshes", {
      description: "Fetches of the issuer's keys, by token version and result",
      unit: "{fetch}",
    });
  }

  delivery(status: number): void {
    if (this.#isOn) this.#deliveries.add(1, this.#one("http.response.status_code", status));
  }

  event(pattern: string, outcome: Outcome): void {
    if (this.#isOn) this.#events.add(1, this.#event(pattern, outcome));
  }

  /** The time in milliseconds, where anybody measures: to look at the clock costs time itself. */
  now(): number {
    return this.#isOn ? performance.now() : 0;
  }

  handlerEnded(pattern: string, outcome: Outcome, milliseconds: number): void {
    if (!this.#isOn) return;
    this.#duration.record(milliseconds / 1000, this.#event(pattern, outcome));
  }

  handshake(result: "consented" | "not-consented" | "not-ready"): void {
    this.#handshakes.add(1, this.#one("eventgrid.handshake.result", result));
  }

  denial(reason: DenialReason): void {
    if (this.#isOn) this.#denials.add(1, this.#one("eventgrid.denial.reason", reason));
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

  /** Attribute sets are made once: there are few, and one is needed for every event. */
  #one(name: string, value: string | number): Attributes {
    return this.#remembered(`${name} ${value}`, () => ({ [name]: value }));
  }

  #event(pattern: string, outcome: Outcome): Attributes {
    return this.#remembered(`${pattern}\n${outcome}`, () => ({
      "eventgrid.event.pattern": pattern,
      "eventgrid.event.outcome": outcome,
    }));
  }

  #remembered(key: string, make: () => Attributes): Attributes {
    let attributes = this.#attributes.get(key);
    if (attributes === undefined) {
      attributes = make();
      this.#attributes.set(key, attributes);
    }
    return attributes;
  }
}
