import { ProxyTracerProvider, type Tracer, type TracerProvider, trace } from "@opentelemetry/api";

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
