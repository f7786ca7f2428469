import {
  type Attributes,
  context,
  createTraceState,
  type Link,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import type { CloudEvent } from "../events/index.js";
import { currentTracer, MESSAGING_SYSTEM } from "../observability/index.js";
import { isObject } from "../validation/index.js";
import type { Outcome } from "./event-delivery.js";

/** The span of one event: a child of the span that the event's `traceparent` names. */
class EventSpan {
  constructor(private readonly span: Span) {}

  run(handler: () => unknown): unknown {
    return context.with(trace.setSpan(context.active(), this.span), handler);
  }

  end(outcome: Outcome): void {
    this.span.setAttribute("eventgrid.event.outcome", outcome);
    if (outcome !== "handled") {
      this.span.setAttribute("error.type", outcome);
      this.span.setStatus({ code: SpanStatusCode.ERROR, message: outcome });
    }
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

export const PROCESS = { ...MESSAGING_SYSTEM, "messaging.operation.name": "process" } as const;

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
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
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
