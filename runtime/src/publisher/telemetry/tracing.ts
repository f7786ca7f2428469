import {
  type Context,
  context,
  isSpanContextValid,
  type Link,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import { currentTracer, MESSAGING_SYSTEM } from "../../observability/index.js";
import { PublishError } from "../errors.js";

/** The topic, as spans name it. */
export interface TelemetryTarget {
  readonly endpoint: URL;
  readonly name: string;
}

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

/** The parts of a response that are recorded. */
export interface RequestOutcome {
  readonly status: number;
  readonly requestId: string | undefined;
}

/** The distributed tracing extension of CloudEvents. */
export interface TraceAttributes {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/**
 * One span per `create` call, whose context travels with the events to their handlers, and one per
 * request: linked to the calls whose events it carries, and the child of its call if that is the only one.
 */
export class PublisherTracing {
  readonly #attributes;

  /** @param provider @default the global one, which may be registered later */
  constructor(
    { endpoint, name }: TelemetryTarget,
    private readonly provider?: TracerProvider,
  ) {
    this.#attributes = topicAttributes({ endpoint, name });
  }

  startCreate(): CreateSpan | undefined {
    const tracer = this.#tracer();
    if (tracer === undefined) return undefined;
    const active = context.active();
    const attributes = {
      ...this.#attributes,
      "messaging.operation.name": "create",
      "messaging.operation.type": "create",
    };
    const span = tracer.startSpan("create events", { kind: SpanKind.PRODUCER, attributes }, active);
    return { span, context: trace.setSpan(active, span) };
  }

  attributes({ span }: CreateSpan): TraceAttributes | undefined {
    const spanContext = span.spanContext();
    if (!isSpanContextValid(spanContext)) return undefined;
    const { traceId, spanId, traceFlags } = spanContext;
    const tracestate = spanContext.traceState?.serialize();
    return {
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
      ...(tracestate && { tracestate }),
    };
  }

  endCreate({ span }: CreateSpan, error?: unknown): void {
    if (error instanceof PublishError) markFailed(span, error.code, error.message);
    else if (error !== undefined) markFailed(span, "_OTHER", "create failed");
    span.end();
  }

  request<R extends RequestOutcome>(details: RequestDetails, send: () => Promise<R>): Promise<R> {
    const tracer = this.#tracer();
    return tracer === undefined ? send() : this.#traced(tracer, details, send);
  }

  async #traced<R extends RequestOutcome>(
    tracer: Tracer,
    details: RequestDetails,
    send: () => Promise<R>,
  ): Promise<R> {
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
      ...this.#attributes,
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

  #tracer(): Tracer | undefined {
    return currentTracer(this.provider);
  }
}

/** The topic in attributes of OpenTelemetry's semantic conventions. */
export function topicAttributes({ endpoint, name }: TelemetryTarget) {
  return {
    ...MESSAGING_SYSTEM,
    "messaging.destination.name": name,
    "server.address": endpoint.hostname,
    ...(endpoint.port !== "" && { "server.port": Number(endpoint.port) }),
  };
}

function markFailed(span: Span, type: string, message: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}
