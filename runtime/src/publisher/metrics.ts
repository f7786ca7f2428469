import { type Attributes, createNoopMeter, type MeterProvider, metrics } from "@opentelemetry/api";
import { DURATION_BUCKETS_S, INSTRUMENTATION } from "../observability/index.js";

/** The publisher's metrics. Every attribute has few values. */
export class PublisherMetrics {
  /** Whether a meter provider is registered. */
  readonly isOn: boolean;
  readonly #events;
  readonly #pending;
  readonly #requests;
  readonly #retries;
  readonly #batch;
  readonly #sent;
  readonly #send: Attributes;

  /** @param topic in attributes of OpenTelemetry's semantic conventions */
  constructor(topic: Attributes, provider: MeterProvider = metrics.getMeterProvider()) {
    const meter = provider.getMeter(INSTRUMENTATION);
    this.isOn = meter !== createNoopMeter();
    this.#events = meter.createCounter("eventgrid.publisher.events", {
      description: "Events passed to create, by outcome",
      unit: "{event}",
    });
    this.#pending = meter.createUpDownCounter("eventgrid.publisher.events.pending", {
      description: "Events passed to create whose outcome is open",
      unit: "{event}",
    });
    this.#send = { ...topic, "messaging.operation.name": "send" };
    this.#sent = meter.createCounter("messaging.client.sent.messages", {
      description: "Events in requests to the topic, again for each attempt",
      unit: "{message}",
    });
    this.#requests = meter.createHistogram("messaging.client.operation.duration", {
      description: "Duration of requests to the topic, by status",
      unit: "s",
      advice: { explicitBucketBoundaries: DURATION_BUCKETS_S },
    });
    this.#retries = meter.createCounter("eventgrid.publisher.retries", {
      description: "Requests that were sent again after a failure",
      unit: "{request}",
    });
    this.#batch = meter.createHistogram("eventgrid.publisher.request.events", {
      description: "Events in one request",
      unit: "{event}",
    });
  }

  settled(accepted: number, rejected: number): void {
    if (accepted > 0) this.#events.add(accepted, { "eventgrid.publish.outcome": "accepted" });
    if (rejected > 0) this.#events.add(rejected, { "eventgrid.publish.outcome": "rejected" });
  }

  pending(change: number): void {
    this.#pending.add(change);
  }

  /** @param status of the response; `undefined` when there was none */
  request(status: number | undefined, events: number, isRetry: boolean, durationMs: number): void {
    const failure = status !== 200 && { "error.type": String(status ?? "no_response") };
    this.#sent.add(events, { ...this.#send, ...failure });
    this.#requests.record(durationMs / 1000, {
      ...this.#send,
      "messaging.operation.type": "send",
      ...(status !== undefined && { "http.response.status_code": status }),
      ...failure,
    });
    this.#batch.record(events);
    if (isRetry) this.#retries.add(1);
  }
}
