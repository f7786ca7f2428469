import {
  type Attributes,
  context,
  type Link,
  type MeterProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import { HandlingMetrics, senderOf } from "../handling/index.js";
import { currentTracer, MESSAGING_SYSTEM, markFailed } from "../observability.js";
import type { Clock } from "../time.js";
import { SECOND_MS } from "../units.js";

/**
 * A span for each request that receives or settles events: linked to the spans that published them,
 * and the child of that span if it carries a single event.
 */
export class ReceiverTracing {
  /** @param provider @default the global one, which may be registered later */
  constructor(
    private readonly destination: Attributes,
    private readonly provider: TracerProvider | undefined,
  ) {}

  /**
   * Records a request that has received events, or has failed. A wait without events has no span.
   *
   * @param events as the namespace returned them
   * @param failure its kind, such as `404 NotFound` or `no_response`
   * @param startTime milliseconds since 1970
   */
  received(events: readonly unknown[], failure: string | undefined, startTime: number) {
    if (events.length === 0 && failure === undefined) return;
    const tracer = currentTracer(this.provider);
    if (tracer === undefined) return;
    end(this.#start(tracer, "receive", events, startTime), failure);
  }

  /** Runs a request that settles events. Spans of its HTTP client are children of its span. */
  async settling<Result>(
    operation: Exclude<QueueOperation, "receive">,
    events: readonly unknown[],
    request: () => Promise<Result>,
    failureOf: (result: Result) => string | undefined,
  ): Promise<Result> {
    const tracer = currentTracer(this.provider);
    if (tracer === undefined) return request();
    const span = this.#start(tracer, operation, events);
    const result = await context.with(trace.setSpan(ROOT_CONTEXT, span), request);
    end(span, failureOf(result));
    return result;
  }

  #start(
    tracer: Tracer,
    operation: QueueOperation,
    events: readonly unknown[],
    startTime?: number,
  ) {
    const links: Link[] = events.flatMap((event) => {
      const sender = senderOf(event);
      return sender === undefined ? [] : [{ context: sender }];
    });
    const [first] = links;
    const only = events.length === 1 ? first?.context : undefined;
    const attributes = {
      ...MESSAGING_SYSTEM,
      ...this.destination,
      "messaging.operation.name": operation,
      "messaging.operation.type": operation === "receive" ? "receive" : "settle",
      ...(events.length > 1 && { "messaging.batch.message_count": events.length }),
    };
    return tracer.startSpan(
      `${operation} events`,
      { kind: SpanKind.CLIENT, links, attributes, ...(startTime !== undefined && { startTime }) },
      only === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, only),
    );
  }
}

function end(span: Span, failure: string | undefined): void {
  if (failure !== undefined) markFailed(span, failure.replace(/[ :].*/, ""), failure);
  span.end();
}

/** A request of a receiver. */
export type QueueOperation = "receive" | "acknowledge" | "release" | "reject" | "renewLock";

/** The receiver's metrics. Every attribute has few values. */
export class ReceiverMetrics extends HandlingMetrics {
  readonly #requests;
  readonly #inFlight;
  readonly #settled;
  readonly #lostLocks;

  constructor(timer: Clock, provider: MeterProvider | undefined, destination: Attributes) {
    super("eventgrid.receiver", timer, provider, destination);
    this.#requests = this.durations(
      "messaging.client.operation.duration",
      "Duration of requests to the namespace, by operation and status",
    );
    const inFlight = "Events that were received and not handled yet";
    this.#inFlight = this.sum("events.in_flight", inFlight);
    const settled = "Events that were acknowledged, released or rejected";
    this.#settled = this.counter("settlements", settled);
    const lostLocks = "Events whose lock ran out before their settlement was confirmed";
    this.#lostLocks = this.counter("lost_locks", lostLocks);
  }

  /** @param status of the response; `undefined` when there was none */
  request(operation: QueueOperation, status: number | undefined, startedAtMs: number): void {
    if (!this.isOn) return;
    const key = status ?? "no_response";
    const attributes = this.cached(`${operation} ${key}`, () => ({
      ...this.operation(operation),
      "messaging.operation.type": operation === "receive" ? "receive" : "settle",
      ...(status !== undefined && { "http.response.status_code": status }),
      ...(status !== 200 && { "error.type": String(key) }),
    }));
    this.#requests.record((this.now() - startedAtMs) / SECOND_MS, attributes);
  }

  received(events: number): void {
    this.consumed("receive", events);
  }

  inFlight(change: number): void {
    if (this.isOn) this.#inFlight.add(change);
  }

  settled(operation: QueueOperation, events: number): void {
    if (this.isOn) this.#settled.add(events, this.single("messaging.operation.name", operation));
  }

  lostLock(): void {
    this.#lostLocks.add(1);
  }
}
