import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  type Link,
  type Span,
  SpanKind,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import {
  currentTracer,
  MESSAGING_SYSTEM,
  Metrics,
  markFailed,
  type TelemetryProviders,
} from "../observability.js";
import type { HttpResponse } from "../transport/index.js";
import { SECOND_MS } from "../units.js";
import { PublishError } from "./errors.js";

/** The span of one `create` call, and the context in which it was called. */
export interface CreateSpan {
  readonly span: Span;
  readonly context: Context;
}

/** The properties of a request that are recorded. */
export interface RequestDetails {
  readonly events: number;
  readonly bytes: number;
  /** Attempts that failed before this one. */
  readonly resends: number;
  /** The spans of the calls whose events are in the request. */
  readonly spans: readonly CreateSpan[];
}

type Send = () => Promise<HttpResponse>;

/** The distributed tracing extension of CloudEvents. */
export interface TraceAttributes {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/**
 * The metrics of a publisher, and its spans: one per `create` call, whose context travels with the events
 * to their handlers, and one per request: linked to the calls whose events it carries, and the child of its
 * call if that is the only one.
 */
export class PublisherTelemetry {
  readonly #topic: Attributes;
  readonly #metrics;
  readonly #tracerProvider: TracerProvider | undefined;

  constructor(
    { endpoint, name }: { readonly endpoint: URL; readonly name: string },
    { tracerProvider, meterProvider }: TelemetryProviders = {},
  ) {
    this.#topic = {
      ...MESSAGING_SYSTEM,
      "messaging.destination.name": name,
      "server.address": endpoint.hostname,
      ...(endpoint.port !== "" && { "server.port": Number(endpoint.port) }),
    };
    this.#metrics = new PublisherMetrics("eventgrid.publisher", meterProvider);
    this.#tracerProvider = tracerProvider;
  }

  /** Starts the span of a `create` call, if a tracer is registered. */
  startCreate(): CreateSpan | undefined {
    const tracer = currentTracer(this.#tracerProvider);
    if (tracer === undefined) return undefined;
    const active = context.active();
    const attributes = {
      ...this.#topic,
      "messaging.operation.name": "create",
      "messaging.operation.type": "create",
    };
    const span = tracer.startSpan("create events", { kind: SpanKind.PRODUCER, attributes }, active);
    return { span, context: trace.setSpan(active, span) };
  }

  /** The trace context for the call's events. */
  attributes(call: CreateSpan | undefined): TraceAttributes | undefined {
    const spanContext = call?.span.spanContext();
    if (spanContext === undefined || !isSpanContextValid(spanContext)) return undefined;
    const { traceId, spanId, traceFlags } = spanContext;
    const tracestate = spanContext.traceState?.serialize();
    return {
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
      ...(tracestate && { tracestate }),
    };
  }

  /** Events of a call are accepted into the publisher. */
  pending(events: number): void {
    this.#metrics.pending.add(events);
  }

  /** A call is rejected before it becomes pending. */
  malformed(events: number, call: CreateSpan | undefined, error: unknown): void {
    this.#countOutcomes(0, events);
    endCreate(call, error);
  }

  /** Events are encoded, and sent later without their call. */
  encoded(call: CreateSpan | undefined): void {
    call?.span.end();
  }

  /** A pending call is settled, successfully unless there is an error. */
  settled(events: number, accepted: number, call: CreateSpan | undefined, error: unknown): void {
    endCreate(call, error);
    this.#metrics.pending.add(-events);
    this.#countOutcomes(accepted, events - accepted);
  }

  #countOutcomes(accepted: number, rejected: number): void {
    const { events } = this.#metrics;
    if (accepted > 0) events.add(accepted, { "eventgrid.publish.outcome": "accepted" });
    if (rejected > 0) events.add(rejected, { "eventgrid.publish.outcome": "rejected" });
  }

  /** Wraps a request in a span and measures it, each only if a provider is registered. */
  request(details: RequestDetails, send: Send): Promise<HttpResponse> {
    const tracer = currentTracer(this.#tracerProvider);
    const traced = tracer === undefined ? send : () => this.#traced(tracer, details, send);
    return this.#metrics.isOn ? this.#measured(details, traced) : traced();
  }

  async #measured({ events, resends }: RequestDetails, send: Send): Promise<HttpResponse> {
    const { sent, requests, batch, retries } = this.#metrics;
    const started = performance.now();
    let status: number | undefined;
    try {
      const response = await send();
      status = response.status;
      return response;
    } finally {
      const failure = status !== 200 && { "error.type": String(status ?? "no_response") };
      const send = { ...this.#topic, "messaging.operation.name": "send" };
      sent.add(events, { ...send, ...failure });
      requests.record((performance.now() - started) / SECOND_MS, {
        ...send,
        "messaging.operation.type": "send",
        ...(status !== undefined && { "http.response.status_code": status }),
        ...failure,
      });
      batch.record(events);
      if (resends > 0) retries.add(1);
    }
  }

  async #traced(tracer: Tracer, details: RequestDetails, send: Send): Promise<HttpResponse> {
    const { span, parent } = this.#requestSpan(tracer, details);
    try {
      const response = await context.with(trace.setSpan(parent, span), send);
      const { status, requestId } = response;
      span.setAttribute("http.response.status_code", status);
      if (requestId !== undefined) span.setAttribute("az.service_request_id", requestId);
      if (status !== 200) markFailed(span, String(status), `status ${status}`);
      return response;
    } catch (error) {
      markFailed(span, "no_response", error instanceof Error ? error.message : "no response");
      throw error;
    } finally {
      span.end();
    }
  }

  #requestSpan(tracer: Tracer, { events, bytes, resends, spans }: RequestDetails) {
    const [first] = spans;
    const only = spans.length === 1 ? first : undefined;
    const links: Link[] = spans.map(({ span }) => ({ context: span.spanContext() }));
    // Several calls belong to several traces; the request they share is in none of them.
    const parent = only?.context ?? trace.deleteSpan(context.active());
    const attributes = {
      ...this.#topic,
      "messaging.operation.name": "send",
      "messaging.operation.type": "send",
      ...(events > 1 && { "messaging.batch.message_count": events }),
      "http.request.method": "POST",
      "http.request.body.size": bytes,
      ...(resends > 0 && { "http.request.resend_count": resends }),
    };
    const options = { kind: SpanKind.CLIENT, attributes, links };
    return { span: tracer.startSpan("send events", options, parent), parent };
  }
}

function endCreate(call: CreateSpan | undefined, error: unknown): void {
  if (call === undefined) return;
  if (error instanceof PublishError) markFailed(call.span, error.code, error.message);
  else if (error !== undefined) markFailed(call.span, "_OTHER", "create failed");
  call.span.end();
}

/** The publisher's metrics. Every attribute has few values. */
class PublisherMetrics extends Metrics {
  readonly events = this.counter("events", "Events passed to create, by outcome");
  readonly pending = this.sum("events.pending", "Events passed to create whose outcome is open");
  readonly sent = this.meter.createCounter("messaging.client.sent.messages", {
    description: "Events in requests to the topic, again for each attempt",
    unit: "{message}",
  });
  readonly requests = this.durations(
    "messaging.client.operation.duration",
    "Duration of requests to the topic, by status",
  );
  readonly retries = this.counter(
    "retries",
    "Requests that were sent again after a failure",
    "{request}",
  );
  readonly batch = this.meter.createHistogram(`${this.prefix}.request.events`, {
    description: "Events in one request",
    unit: "{event}",
  });
}
