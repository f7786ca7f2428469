import type { TelemetryProviders } from "../../observability/index.js";
import { PublisherMetrics } from "./metrics.js";
import {
  type CreateSpan,
  PublisherTracing,
  type RequestDetails,
  type RequestOutcome,
  type TelemetryTarget,
  topicAttributes,
} from "./tracing.js";

export type { CreateSpan, RequestDetails, TraceAttributes } from "./tracing.js";

export class PublisherTelemetry {
  readonly #tracing: PublisherTracing;
  readonly #metrics: PublisherMetrics;

  constructor(topic: TelemetryTarget, providers: TelemetryProviders = {}) {
    this.#tracing = new PublisherTracing(topic, providers.tracerProvider);
    this.#metrics = new PublisherMetrics(topicAttributes(topic), providers.meterProvider);
  }

  /** Starts the span of a `create` call, if a tracer is registered. */
  startCreate(): CreateSpan | undefined {
    return this.#tracing.startCreate();
  }

  /** The trace context for the call's events. */
  attributes(span: CreateSpan | undefined) {
    return span && this.#tracing.attributes(span);
  }

  /** Events of a call are accepted into the publisher. */
  pending(events: number): void {
    this.#metrics.pending(events);
  }

  /** A call is rejected before it becomes pending. */
  malformed(events: number, span: CreateSpan | undefined, error: unknown): void {
    this.#metrics.settled(0, events);
    if (span !== undefined) this.#tracing.endCreate(span, error);
  }

  /** Events are encoded, and sent later without their call. */
  encoded(span: CreateSpan | undefined): void {
    if (span !== undefined) this.#tracing.endCreate(span);
  }

  /** A pending call is settled, successfully unless there is an error. */
  settled(events: number, accepted: number, span: CreateSpan | undefined, error: unknown): void {
    if (span !== undefined) this.#tracing.endCreate(span, error);
    this.#metrics.pending(-events);
    this.#metrics.settled(accepted, events - accepted);
  }

  /** Wraps a request in a span and measures it, each only if a provider is registered. */
  request<R extends RequestOutcome>(details: RequestDetails, send: () => Promise<R>): Promise<R> {
    const traced = () => this.#tracing.request(details, send);
    return this.#metrics.isOn ? this.#measured(details, traced) : traced();
  }

  async #measured<R extends RequestOutcome>(
    { events, resends }: RequestDetails,
    send: () => Promise<R>,
  ): Promise<R> {
    const started = performance.now();
    let status: number | undefined;
    try {
      const response = await send();
      status = response.status;
      return response;
    } finally {
      this.#metrics.request(status, events, resends > 0, performance.now() - started);
    }
  }
}
