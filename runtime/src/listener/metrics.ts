import { type Attributes, createNoopMeter, type MeterProvider, metrics } from "@opentelemetry/api";
import type { EventMetrics, Mismatch, Outcome } from "../handling/index.js";
import { DURATION_BUCKETS_S, INSTRUMENTATION } from "../instrumentation.js";
import type { Timer } from "../timer.js";
import type { DenialReason, TokenVersion } from "./authentication/index.js";

/**
 * The listener's metrics. Every attribute has few values: events are counted by the pattern of
 * their handler, never by a type that a caller chose.
 */
export class ListenerMetrics implements EventMetrics {
  readonly #deliveries;
  readonly #events;
  readonly #duration;
  readonly #handshakes;
  readonly #denials;
  readonly #inFlight;
  readonly #refreshes;
  readonly #parserErrors;
  readonly #flawedEvents;
  readonly #unexpectedSources;
  /** Whether a meter provider is registered: without one, no attributes are looked up. */
  readonly #isOn: boolean;
  readonly #attributes = new Map<string, Attributes>();

  readonly #timer: Timer;

  constructor(timer: Timer, provider: MeterProvider = metrics.getMeterProvider()) {
    this.#timer = timer;
    const meter = provider.getMeter(INSTRUMENTATION);
    this.#isOn = meter !== createNoopMeter();
    this.#deliveries = meter.createCounter("eventgrid.listener.deliveries", {
      description: "Deliveries of verified callers, by response status",
      unit: "{delivery}",
    });
    this.#events = meter.createCounter("eventgrid.listener.events", {
      description: "Events, by handler pattern and outcome",
      unit: "{event}",
    });
    this.#duration = meter.createHistogram("eventgrid.listener.handler.duration", {
      description: "Duration of handlers",
      unit: "s",
      advice: { explicitBucketBoundaries: DURATION_BUCKETS_S },
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
    this.#flawedEvents = meter.createCounter("eventgrid.listener.flawed_events", {
      description: "Events that were handled although they deviate from CloudEvents",
      unit: "{event}",
    });
    this.#unexpectedSources = meter.createCounter("eventgrid.listener.unexpected_sources", {
      description: "Events of another event subscription or resource than the binding's",
      unit: "{event}",
    });
    this.#parserErrors = meter.createCounter("eventgrid.listener.parser_errors", {
      description: "Requests that the HTTP parser rejected, by status and error code",
      unit: "{request}",
    });
  }

  delivery(status: number): void {
    if (this.#isOn) this.#deliveries.add(1, this.#single("http.response.status_code", status));
  }

  event(pattern: string, outcome: Outcome): void {
    if (this.#isOn) this.#events.add(1, this.#event(pattern, outcome));
  }

  /** The time in milliseconds, or 0 when nothing is measured, because reading the clock costs time. */
  now(): number {
    return this.#isOn ? this.#timer.now() : 0;
  }

  handlerEnded(pattern: string, outcome: Outcome, startedAtMs: number): void {
    if (!this.#isOn) return;
    this.#duration.record((this.#timer.now() - startedAtMs) / 1000, this.#event(pattern, outcome));
  }

  handshake(result: "consented" | "not-consented" | "not-ready"): void {
    this.#handshakes.add(1, this.#single("eventgrid.handshake.result", result));
  }

  denial(reason: DenialReason): void {
    if (this.#isOn) this.#denials.add(1, this.#single("eventgrid.denial.reason", reason));
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

  flawedEvents(count: number): void {
    this.#flawedEvents.add(count);
  }

  unexpectedSource(mismatch: Mismatch): void {
    this.#unexpectedSources.add(1, this.#single("eventgrid.mismatch", mismatch));
  }

  parserError(status: number, code: string): void {
    this.#parserErrors.add(1, { "http.response.status_code": status, "error.type": code });
  }

  #single(name: string, value: string | number): Attributes {
    return this.#cached(`${name} ${value}`, () => ({ [name]: value }));
  }

  #event(pattern: string, outcome: Outcome): Attributes {
    return this.#cached(`${pattern}\n${outcome}`, () => ({
      "eventgrid.event.pattern": pattern,
      "eventgrid.event.outcome": outcome,
    }));
  }

  /** There are few different attribute sets, and every event needs one. */
  #cached(key: string, make: () => Attributes): Attributes {
    let attributes = this.#attributes.get(key);
    if (attributes === undefined) {
      attributes = make();
      this.#attributes.set(key, attributes);
    }
    return attributes;
  }
}
