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
import { currentTracer } from "../instrumentation.js";
import type { Batch } from "./batch.js";
import type { TraceAttributes } from "./encode-event.js";
import { PublishError } from "./publish-error.js";
import type { TopicAnswer } from "./topic-client.js";

/** The span of one `create` call, and the context that it was called in. */
export interface CreateSpan {
  readonly span: Span;
  readonly context: Context;
}

/**
 * One span per `create` call, which its events carry to their handlers, and one per request: a
 * child of the call it serves, or linked to all of them.
 */
export class PublisherTracing {
  readonly #provider: TracerProvider | undefined;
  readonly #attributes;

  /** @param provider instead of the global one, which may also be registered later */
  constructor(endpoint: URL, provider?: TracerProvider) {
    this.#provider = provider;
    this.#attributes = {
      "messaging.system": "eventgrid",
      "messaging.destination.name": endpoint.hostname,
      "server.address": endpoint.hostname,
      ...(endpoint.port !== "" && { "server.port": Number(endpoint.port) }),
    };
  }

  create(): CreateSpan | undefined {
    const tracer = this.#tracer();
    if (tracer === undefined) return undefined;
    const active = context.active();
    const attributes = { ...this.#attributes, "messaging.operation.type": "create" };
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

  ended({ span }: CreateSpan, error?: unknown): void {
    if (error instanceof PublishError) failed(span, error.code, error.message);
    else if (error !== undefined) failed(span, "_OTHER", "create failed");
    span.end();
  }

  request(batch: Batch, bytes: number, send: () => Promise<TopicAnswer>): Promise<TopicAnswer> {
    const tracer = this.#tracer();
    return tracer === undefined ? send() : this.#traced(tracer, batch, bytes, send);
  }

  async #traced(
    tracer: Tracer,
    batch: Batch,
    bytes: number,
    send: () => Promise<TopicAnswer>,
  ): Promise<TopicAnswer> {
    const { span, around } = this.#requestSpan(tracer, batch, bytes);
    try {
      const answer = await context.with(trace.setSpan(around, span), send);
      span.setAttribute("http.response.status_code", answer.status);
      const requestId = answer.header("x-ms-request-id");
      if (requestId !== undefined) span.setAttribute("az.service_request_id", requestId);
      if (answer.status !== 200) failed(span, String(answer.status), `status ${answer.status}`);
      return answer;
    } catch (error) {
      const message = error instanceof Error ? error.message : "no answer";
      failed(span, "no_answer", message);
      throw error;
    } finally {
      span.end();
    }
  }

  #requestSpan(tracer: Tracer, batch: Batch, bytes: number) {
    const spans = batch.callers().flatMap(({ createSpan }) => createSpan ?? []);
    const [first] = spans;
    const only = spans.length === 1 ? first : undefined;
    const links: Link[] = only ? [] : spans.map(({ span }) => ({ context: span.spanContext() }));
    // Several calls are as many traces: their request is in none of them.
    const around = only?.context ?? trace.deleteSpan(context.active());
    const attributes = {
      ...this.#attributes,
      "messaging.operation.type": "send",
      "messaging.batch.message_count": batch.live().length,
      "http.request.method": "POST",
      "http.request.body.size": bytes,
      ...(batch.failures > 0 && { "http.request.resend_count": batch.failures }),
    };
    const span = tracer.startSpan(
      "send events",
      { kind: SpanKind.CLIENT, attributes, links },
      around,
    );
    return { span, around };
  }

  #tracer(): Tracer | undefined {
    return currentTracer(this.#provider);
  }
}

function failed(span: Span, type: string, message: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}
