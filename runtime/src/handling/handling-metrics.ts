import {
  type Attributes,
  createNoopMeter,
  type Meter,
  type MeterProvider,
  metrics,
} from "@opentelemetry/api";
import { DURATION_BUCKETS_S, INSTRUMENTATION } from "../instrumentation.js";
import type { Timer } from "../timer.js";
import type { EventMetrics, Mismatch, Outcome } from "./event-delivery.js";

/**
 * What is measured of events. Every attribute has few values: events are counted by the pattern of
 * their handler, never by a type that a publisher chose.
 */
export class HandlingMetrics implements EventMetrics {
  protected readonly meter: Meter;
  /** Whether a meter provider is registered: without one, no attributes are looked up. */
  protected readonly isOn: boolean;
  readonly #events;
  readonly #duration;
  readonly #flawedEvents;
  readonly #unexpectedSources;
  readonly #attributes = new Map<string, Attributes>();
  readonly #timer: Timer;

  /** @param prefix of the metrics' names, such as `eventgrid.listener` */
  constructor(prefix: string, timer: Timer, provider: MeterProvider = metrics.getMeterProvider()) {
    this.#timer = timer;
    this.meter = provider.getMeter(INSTRUMENTATION);
    this.isOn = this.meter !== createNoopMeter();
    this.#events = this.meter.createCounter(`${prefix}.events`, {
      description: "Events, by handler pattern and outcome",
      unit: "{event}",
    });
    this.#duration = this.meter.createHistogram(`${prefix}.handler.duration`, {
      description: "Duration of handlers",
      unit: "s",
      advice: { explicitBucketBoundaries: DURATION_BUCKETS_S },
    });
    this.#flawedEvents = this.meter.createCounter(`${prefix}.flawed_events`, {
      description: "Events that were handled although they deviate from CloudEvents",
      unit: "{event}",
    });
    this.#unexpectedSources = this.meter.createCounter(`${prefix}.unexpected_sources`, {
      description: "Events of another event subscription or resource than the binding's",
      unit: "{event}",
    });
  }

  event(pattern: string, outcome: Outcome): void {
    if (this.isOn) this.#events.add(1, this.#event(pattern, outcome));
  }

  /** The time in milliseconds, or 0 when nothing is measured, because reading the clock costs time. */
  now(): number {
    return this.isOn ? this.#timer.now() : 0;
  }

  handlerEnded(pattern: string, outcome: Outcome, startedAtMs: number): void {
    if (!this.isOn) return;
    this.#duration.record((this.#timer.now() - startedAtMs) / 1000, this.#event(pattern, outcome));
  }

  flawedEvents(count: number): void {
    this.#flawedEvents.add(count);
  }

  unexpectedSource(mismatch: Mismatch): void {
    this.#unexpectedSources.add(1, this.single("eventgrid.mismatch", mismatch));
  }

  /** A set of one attribute. */
  protected single(name: string, value: string | number): Attributes {
    return this.cached(`${name} ${value}`, () => ({ [name]: value }));
  }

  #event(pattern: string, outcome: Outcome): Attributes {
    return this.cached(`${pattern}\n${outcome}`, () => ({
      "eventgrid.event.pattern": pattern,
      "eventgrid.event.outcome": outcome,
    }));
  }

  /** There are few different attribute sets, and every event needs one. */
  protected cached(key: string, make: () => Attributes): Attributes {
    let attributes = this.#attributes.get(key);
    if (attributes === undefined) {
      attributes = make();
      this.#attributes.set(key, attributes);
    }
    return attributes;
  }
}
