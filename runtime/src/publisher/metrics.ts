import { createNoopMeter, type MeterProvider, metrics } from "@opentelemetry/api";
import { DURATION_BUCKETS_S, INSTRUMENTATION } from "../observability/index.js";

/** The publisher's metrics. Every attribute has few values. */
export function publisherMetrics(provider: MeterProvider = metrics.getMeterProvider()) {
  const meter = provider.getMeter(INSTRUMENTATION);
  return {
    /** Whether a meter provider is registered. */
    isOn: meter !== createNoopMeter(),
    events: meter.createCounter("eventgrid.publisher.events", {
      description: "Events passed to create, by outcome",
      unit: "{event}",
    }),
    pending: meter.createUpDownCounter("eventgrid.publisher.events.pending", {
      description: "Events passed to create whose outcome is open",
      unit: "{event}",
    }),
    sent: meter.createCounter("messaging.client.sent.messages", {
      description: "Events in requests to the topic, again for each attempt",
      unit: "{message}",
    }),
    requests: meter.createHistogram("messaging.client.operation.duration", {
      description: "Duration of requests to the topic, by status",
      unit: "s",
      advice: { explicitBucketBoundaries: DURATION_BUCKETS_S },
    }),
    retries: meter.createCounter("eventgrid.publisher.retries", {
      description: "Requests that were sent again after a failure",
      unit: "{request}",
    }),
    batch: meter.createHistogram("eventgrid.publisher.request.events", {
      description: "Events in one request",
      unit: "{event}",
    }),
  };
}
