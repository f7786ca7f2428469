import {
  type MeterProvider,
  ProxyTracerProvider,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";

/** Receives spans and metrics instead of the globally registered providers. */
export interface TelemetryProviders {
  readonly tracerProvider?: TracerProvider;
  readonly meterProvider?: MeterProvider;
}

/** Name of the meters and tracers. */
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
