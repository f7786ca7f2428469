import { createNoopMeter, type MeterProvider, metrics } from "@opentelemetry/api";
import { INSTRUMENTATION } from "../instrumentation.js";

/** The publisher's measurements; every attribute has few values. */
export class PublisherMetrics {
  /** Whether anybody measures. */
  readonly isOn: boolean;
  readonly #events;
  readonly #pending;
  readonly #requests;
  readonly #retries;
  readonly #batch;

  constructor(provider: MeterProvider = metrics.getMeterProvider()) {
    const meter = provider.getMeter(INSTRUMENTATION);
    this.isOn = meter !== createNoopMeter();
    this.#events = meter.createCounter("eventgrid.publisher.events", {
      description: "Events given to create, by outcome",
      unit: "{event}",
    });
    this.#pending = meter.createUpDownCounter("eventgrid.publisher.events.pending", {
      description: "Events given to create whose outcome is open",
      unit: "{event}",
    });
    this.#requests = meter.createHistogram("eventgrid.publisher.request.duration", {
      description: "How long requests to the topic took, by the status of their answer",
      unit: "s",
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

  events(count: number, outcome: "accepted" | "rejected"): void {
    if (count > 0) this.#events.add(count, { "eventgrid.publish.outcome": outcome });
  }

  pending(change: number): void {
    this.#pending.add(change);
  }

  /** @param status of the answer; `undefined` when there was none */
  request(
    status: number | undefined,
    events: number,
    isRetry: boolean,
    milliseconds: number,
  ): void {
    this.#requests.record(
      milliseconds / 1000,
      status === undefined
        ? { "error.type": "no_answer" }
        : { "http.response.status_code": status },
    );
    this.#batch.record(events);
    if (isRetry) this.#retries.add(1);
  }
}
