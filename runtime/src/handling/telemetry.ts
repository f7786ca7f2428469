import {
  type Attributes,
  context,
  createTraceState,
  type Link,
  type Meter,
  type MeterProvider,
  type MetricOptions,
  type Span,
  type SpanContext,
  SpanKind,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import type { CloudEvent } from "../events/index.js";
import { currentTracer, MESSAGING_SYSTEM, Metrics, markFailed } from "../observability.js";
import type { Clock } from "../time.js";
import { SECOND_MS } from "../units.js";
import { isObject } from "../validation/index.js";
import type { Mismatch, Outcome } from "./event-context.js";

interface Cell {
  readonly attributes: Attributes;
  count: number;
}

/** The counts of each counter of a meter, by the text of their attributes. */
const cellsOfMeter = new WeakMap<Meter, Map<string, Map<string, Cell>>>();

/**
 * A counter that is read when metrics are collected: an `add` of OpenTelemetry's own takes
 * microseconds, because it makes a key of the attributes. Counters of one meter with the same name
 * count together.
 */
class CollectedCounter {
  readonly #shared: Map<string, Cell>;
  readonly #own = new Map<string, Cell>();

  constructor(meter: Meter, name: string, options: MetricOptions) {
    const counters = cellsOfMeter.get(meter) ?? new Map<string, Map<string, Cell>>();
    cellsOfMeter.set(meter, counters);
    const known = counters.get(name);
    this.#shared = known ?? new Map();
    if (known) return;
    const cells = this.#shared;
    counters.set(name, cells);
    meter.createObservableCounter(name, options).addCallback((result) => {
      for (const { attributes, count } of cells.values()) result.observe(count, attributes);
    });
  }

  /** @param key stands for the attributes, which are made once */
  add(count: number, key: string, attributes: () => Attributes): void {
    let cell = this.#own.get(key);
    if (cell === undefined) {
      cell = this.#cell(attributes());
      this.#own.set(key, cell);
    }
    cell.count += count;
  }

  #cell(attributes: Attributes): Cell {
    const key = JSON.stringify(Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1)));
    const known = this.#shared.get(key);
    if (known) return known;
    const cell = { attributes, count: 0 };
    this.#shared.set(key, cell);
    return cell;
  }
}

/** From a tenth of a second to the day for which Event Grid retries a delivery by default. */
const LAG_BUCKETS_S = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400];

/**
 * The metrics of events. Every attribute has few values: events are counted by the pattern of
 * their handler, never by a type that a publisher chose.
 */
export class HandlingMetrics extends Metrics {
  readonly #events = this.collected("events", "Events, by handler pattern and outcome");
  readonly #duration = this.durations("messaging.process.duration", "Duration of handlers");
  readonly #consumed = new CollectedCounter(this.meter, "messaging.client.consumed.messages", {
    description: "Events that were received by a receiver, or passed to a handler by a listener",
    unit: "{message}",
  });
  readonly #lag = this.meter.createHistogram(`${this.prefix}.lag`, {
    description: "Time from an event's time to the start of its handler",
    unit: "s",
    advice: { explicitBucketBoundaries: LAG_BUCKETS_S },
  });
  readonly #flawedEvents = this.counter(
    "flawed_events",
    "Events that were handled although they deviate from CloudEvents",
  );
  readonly #unexpectedSources = this.counter(
    "unexpected_sources",
    "Events of another event subscription or resource than the binding's",
  );
  readonly #attributes = new Map<string, Attributes>();

  /**
   * @param destination where the events come from, in attributes of the semantic conventions
   * @param clock the time of day, in milliseconds
   */
  constructor(
    prefix: "eventgrid.listener" | "eventgrid.receiver",
    private readonly timer: Clock,
    provider?: MeterProvider,
    private readonly destination: Attributes = {},
    private readonly clock: () => number = Date.now,
  ) {
    super(prefix, provider);
  }

  /** A counter for every delivery or event. */
  protected collected(name: string, description: string, unit = "{event}") {
    return new CollectedCounter(this.meter, `${this.prefix}.${name}`, { description, unit });
  }

  event(pattern: string, outcome: Outcome): void {
    if (!this.isOn) return;
    this.#events.add(1, `${pattern}\n${outcome}`, () => ({
      "eventgrid.event.pattern": pattern,
      "eventgrid.event.outcome": outcome,
    }));
  }

  /** The time in milliseconds, or 0 when nothing is measured, because reading the clock costs time. */
  now(): number {
    return this.isOn ? this.timer.now() : 0;
  }

  handlerStarted(pattern: string, event: CloudEvent): void {
    if (!this.isOn || event.time === undefined) return;
    const lagMs = this.clock() - Date.parse(event.time);
    // A flawed event may have any text as its time, and a publisher's clock may be ahead.
    if (Number.isNaN(lagMs)) return;
    this.#lag.record(
      Math.max(lagMs, 0) / SECOND_MS,
      this.single("eventgrid.event.pattern", pattern),
    );
  }

  handlerEnded(pattern: string, outcome: Outcome, startedAtMs: number): void {
    if (!this.isOn) return;
    const attributes = this.cached(`${pattern}\n${outcome}`, () => ({
      ...this.destination,
      ...PROCESS,
      ...(outcome !== "handled" && { "error.type": outcome }),
      "eventgrid.event.pattern": pattern,
    }));
    this.#duration.record((this.timer.now() - startedAtMs) / SECOND_MS, attributes);
  }

  /** @param operation by which the events came */
  protected consumed(operation: string, events: number): void {
    if (this.isOn) this.#consumed.add(events, operation, () => this.operation(operation));
  }

  /** The attributes of an operation on the destination. */
  protected operation(name: string): Attributes {
    return { ...this.destination, ...MESSAGING_SYSTEM, "messaging.operation.name": name };
  }

  flawedEvents(count: number): void {
    this.#flawedEvents.add(count);
  }

  unexpectedSource(mismatch: Mismatch): void {
    this.#unexpectedSources.add(1, this.single("eventgrid.mismatch", mismatch));
  }

  protected single(name: string, value: string | number): Attributes {
    return this.cached(`${name} ${value}`, () => ({ [name]: value }));
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

/** The span of one event: a child of the span that the event's `traceparent` names. */
class EventSpan {
  constructor(private readonly span: Span) {}

  run(handler: () => unknown): unknown {
    return context.with(trace.setSpan(context.active(), this.span), handler);
  }

  end(outcome: Outcome): void {
    this.span.setAttribute("eventgrid.event.outcome", outcome);
    if (outcome !== "handled") markFailed(this.span, outcome, outcome);
    this.span.end();
  }
}

/**
 * Starts an event's span.
 *
 * @param provider the provider to use instead of the global one, which may be registered later
 * @param destination attributes of where the event was published
 * @returns `undefined` when no tracer provider is registered
 */
export function startEventSpan(
  provider: TracerProvider | undefined,
  event: CloudEvent,
  subscriptionName: string | undefined,
  destination: Attributes,
): EventSpan | undefined {
  const tracer = currentTracer(provider);
  if (tracer === undefined) return undefined;
  const active = context.active();
  const sender = senderOf(event);
  // A span has only one parent, so the request's own span becomes a link.
  const request = trace.getSpanContext(active);
  const links: Link[] = sender !== undefined && request !== undefined ? [{ context: request }] : [];
  const span = tracer.startSpan(
    `process ${event.type}`,
    {
      kind: SpanKind.CONSUMER,
      links,
      attributes: {
        ...destination,
        ...PROCESS,
        "messaging.operation.type": "process",
        "messaging.message.id": event.id,
        "cloudevents.event_id": event.id,
        "cloudevents.event_spec_version": event.specversion,
        "cloudevents.event_source": event.source,
        "cloudevents.event_type": event.type,
        ...(event.subject !== undefined && { "cloudevents.event_subject": event.subject }),
        ...(subscriptionName !== undefined && {
          "messaging.destination.subscription.name": subscriptionName,
        }),
      },
    },
    sender === undefined ? active : trace.setSpanContext(active, sender),
  );
  return new EventSpan(span);
}

const PROCESS = { ...MESSAGING_SYSTEM, "messaging.operation.name": "process" } as const;

const traceparentForm = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/**
 * The span that published an event, by the distributed tracing extension of CloudEvents (W3C Trace
 * Context).
 */
export function senderOf(event: unknown): SpanContext | undefined {
  if (!isObject(event)) return undefined;
  const { traceparent, tracestate } = event;
  if (typeof traceparent !== "string") return undefined;
  const [, traceId, spanId, flags] = traceparentForm.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (!/[^0]/.test(traceId) || !/[^0]/.test(spanId)) return undefined;
  const traceState =
    typeof tracestate === "string" && tracestate.length <= 512
      ? createTraceState(tracestate)
      : undefined;
  return {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...(traceState !== undefined && { traceState }),
  };
}
