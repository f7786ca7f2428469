import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";

/** A tracer provider, and the spans that have ended. */
export function tracing() {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  return {
    tracerProvider,
    spans: () => exporter.getFinishedSpans(),
    reset: () => exporter.reset(),
  };
}
