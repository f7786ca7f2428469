import {
  context,
  createTraceState,
  type Link,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import type { CloudEvent } from "../events/index.js";
import { currentTracer } from "../instrumentation.js";
import { RejectEvent } from "./reject-event.js";

/** One span per handled event, a child of the span that the event's `traceparent` names. */
export class ListenerTracing {
  readonly #provider: TracerProvider | undefined;

  /** @param provider instead of the global one, which may also be registered later */
  constructor(provider?: TracerProvider) {
    this.#provider = provider;
  }

  /** `undefined` where nobody listens. */
  tracer(): Tracer | undefined {
    return currentTracer(this.#provider);
  }
}

/** Runs a handler inside a span of its own. */
export async function traced(
  tracer: Tracer,
  event: CloudEvent,
  subscriptionName: string | undefined,
  handle: () => Promise<unknown>,
): Promise<void> {
  const span = startSpan(tracer, event, subscriptionName);
  try {
    await context.with(trace.setSpan(context.active(), span), handle);
    span.setAttribute(OUTCOME, "handled");
  } catch (error) {
    const outcome = error instanceof RejectEvent ? "rejected" : "failed";
    span.setAttribute(OUTCOME, outcome);
    span.setStatus({ code: SpanStatusCode.ERROR, message: outcome });
    throw error;
  } finally {
    span.end();
  }
}

const OUTCOME = "eventgrid.event.outcome";

function startSpan(tracer: Tracer, event: CloudEvent, subscriptionName: string | undefined): Span {
  const active = context.active();
  const sender = parseTraceparent(event.traceparent, event.tracestate);
  // The request's own span stays in sight as a link: a span has one parent only.
  const request = trace.getSpanContext(active);
  const links: Link[] = sender !== undefined && request !== undefined ? [{ context: request }] : [];
  return tracer.startSpan(
    `process ${event.type}`,
    {
      kind: SpanKind.CONSUMER,
      links,
      attributes: {
        "messaging.system": "eventgrid",
        "messaging.operation.type": "process",
        "messaging.message.id": event.id,
        "cloudevents.event_id": event.id,
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
}

const traceparentForm = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/** Reads the distributed tracing extension of CloudEvents (W3C Trace Context). */
function parseTraceparent(traceparent: unknown, tracestate: unknown): SpanContext | undefined {
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
