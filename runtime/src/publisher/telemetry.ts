import type { TelemetryProviders } from "../instrumentation.js";
import type { Batch } from "./batch.js";
import type { TraceAttributes } from "./encode-event.js";
import { PublisherMetrics } from "./metrics.js";
import type { Submission } from "./submission.js";
import type { TopicAnswer } from "./topic-client.js";
import { type CreateSpan, PublisherTracing } from "./tracing.js";

/** What the publisher tells of itself: spans and metrics. */
export class PublisherTelemetry {
  readonly #tracing: PublisherTracing;
  readonly #metrics: PublisherMetrics;

  constructor(endpoint: URL, providers: TelemetryProviders = {}) {
    this.#tracing = new PublisherTracing(endpoint, providers.tracerProvider);
    this.#metrics = new PublisherMetrics(providers.meterProvider);
  }

  /** A span for one `create` call, if anybody listens. */
  create(): CreateSpan | undefined {
    return this.#tracing.create();
  }

  /** The trace context that the call's events carry. */
  attributes(span: CreateSpan | undefined): TraceAttributes | undefined {
    return span && this.#tracing.attributes(span);
  }

  submitted(submission: Submission): void {
    this.#metrics.pending(submission.events.length);
  }

  /** Events of a call that is refused before it is one. */
  malformed(events: number, span: CreateSpan | undefined, error: unknown): void {
    this.#metrics.events(events, "rejected");
    if (span !== undefined) this.#tracing.ended(span, error);
  }

  /** A call is settled: well, unless there is an error. */
  settled(submission: Submission, error: unknown): void {
    const { createSpan } = submission;
    if (createSpan !== undefined) this.#tracing.ended(createSpan, error);
    if (!this.#metrics.isOn) return;
    this.#metrics.pending(-submission.events.length);
    const accepted = submission.events.filter(({ fate }) => fate === "accepted").length;
    this.#metrics.events(accepted, "accepted");
    this.#metrics.events(submission.events.length - accepted, "rejected");
  }

  /** Runs one request inside a span, and measures it, each if anybody listens. */
  request(batch: Batch, bytes: number, send: () => Promise<TopicAnswer>): Promise<TopicAnswer> {
    const run = () => this.#tracing.request(batch, bytes, send);
    return this.#metrics.isOn ? this.#measured(batch, run) : run();
  }

  async #measured(batch: Batch, run: () => Promise<TopicAnswer>): Promise<TopicAnswer> {
    const started = performance.now();
    // Who no longer waits when it ends was in it all the same.
    const events = batch.live().length;
    let status: number | undefined;
    try {
      const answer = await run();
      status = answer.status;
      return answer;
    } finally {
      this.#metrics.request(status, events, batch.failures > 0, performance.now() - started);
    }
  }
}
