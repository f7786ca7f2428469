import {
  type MeterProvider,
  ProxyTracerProvider,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";

/** Who is told of spans and metrics, instead of the globally registered providers. */
export interface TelemetryProviders {
  readonly tracerProvider?: TracerProvider;
  readonly meterProvider?: MeterProvider;
}

/** Name of the meters and tracers. */
export const INSTRUMENTATION = "cloud-eventgrid-binding-runtime";

/**
 * The tracer to make spans with; `undefined` where nobody listens: then not even a span that records
 * nothing is made.
 *
 * @param provider instead of the global one, which may be registered at any time
 */
export function currentTracer(
  provider: TracerProvider = trace.getTracerProvider(),
): Tracer | undefined {
  return provider instanceof ProxyTracerProvider
    ? provider.getDelegateTracer(INSTRUMENTATION)
    : provider.getTracer(INSTRUMENTATION);
}
