import {
  type MeterProvider,
  ProxyTracerProvider,
  type Span,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";

/** Receives spans and metrics instead of the globally registered providers. */
export interface TelemetryProviders {
  readonly tracerProvider?: TracerProvider | undefined;
  readonly meterProvider?: MeterProvider | undefined;
}

export const INSTRUMENTATION = "cloud-eventgrid-binding-runtime";

/**
 * The tracer for spans; `undefined` if no provider is registered, so that no span is created at all.
 *
 * @param provider replaces the global one, which may be registered at any time
 */
export function currentTracer(
  provider: TracerProvider = trace.getTracerProvider(),
): Tracer | undefined {
  return provider instanceof ProxyTracerProvider
    ? provider.getDelegateTracer(INSTRUMENTATION)
    : provider.getTracer(INSTRUMENTATION);
}

/** @param type one of few, such as a status or a code */
export function markFailed(span: Span, type: string, message: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

/** `messaging.system` of the semantic conventions of OpenTelemetry, version 1.45. */
export const MESSAGING_SYSTEM = { "messaging.system": "eventgrid" } as const;

/**
 * Buckets of durations in seconds, as the semantic conventions of OpenTelemetry recommend them, with
 * one below the 30 s that Event Grid waits. The SDK's default is meant for milliseconds.
 */
export const DURATION_BUCKETS_S = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 25,
];
