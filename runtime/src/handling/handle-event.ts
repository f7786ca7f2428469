import type { TracerProvider } from "@opentelemetry/api";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Deduplication, DeduplicationKey, EventClaims } from "../deduplication/index.js";
import type { CloudEvent, EventCatalogue } from "../events/index.js";
import { eventNames, type Log, loggableError } from "../log.js";
import { describeIssues } from "../payload-problems.js";
import type { Timer } from "../timer.js";
import { DeliveredEventContext, RejectEvent } from "./event-context.js";
import type { EventDelivery, EventMetrics, Outcome } from "./event-delivery.js";
import type { ExpectedSource } from "./expected-source.js";
import type { HandlerSlots, HandlerTable } from "./handlers.js";
import { startEventSpan } from "./tracing.js";

/** The dependencies of handling an event. */
export interface EventDependencies {
  readonly handlers: HandlerTable;
  readonly unhandled: "acknowledge" | "retry" | "reject";
  readonly schemas: EventCatalogue["schemas"] | undefined;
  readonly slots: HandlerSlots;
  readonly expectedSource: ExpectedSource;
  readonly deduplicationKey: DeduplicationKey;
  /** `undefined` when handled events are not remembered. */
  readonly deduplication: Deduplication | undefined;
  readonly metrics: EventMetrics;
  readonly timer: Timer;
  readonly tracerProvider: TracerProvider | undefined;
}

/**
 * Handles one event: compares it with the binding, takes a handler slot, checks the payload, looks at
 * the claim, calls the handler and settles the claim. Never rejects.
 */
export async function handleEvent(
  received: CloudEvent,
  delivery: EventDelivery,
  index: number,
  dependencies: EventDependencies,
  claims?: EventClaims,
): Promise<Outcome> {
  const { handlers, slots, schemas, metrics } = dependencies;
  const route = handlers.find(received.type);
  if (dependencies.expectedSource.rejects(received, delivery)) {
    metrics.event(route?.pattern ?? "none", "rejected");
    return "rejected";
  }
  if (route === undefined) return withoutHandler(received, delivery, dependencies);

  if (!slots.tryTake()) await slots.takeNext();
  const end = (outcome: Outcome): Outcome => {
    slots.release();
    // The deadline has already counted the events that it found unfinished.
    if (!delivery.isOverdue) metrics.event(route.pattern, outcome);
    return outcome;
  };
  try {
    if (delivery.isOverdue) return end("timed-out");

    const schema = schemas?.get(received.type);
    const event =
      schema === undefined ? received : await withValidPayload(received, schema, delivery.log);
    if (event === undefined) return end("rejected");

    // The schema may have taken all the time until the deadline.
    if (delivery.isOverdue) return end("timed-out");

    const claim = claims?.begin(index);
    if (claim === "done") return end("duplicate");
    if (claim === "running") return end("in-progress");

    const startedAtMs = metrics.now();
    const context = new DeliveredEventContext(delivery, event, index);
    const { subscriptionName } = delivery;
    const span = startEventSpan(dependencies.tracerProvider, event, subscriptionName);
    let outcome: Outcome = "handled";
    try {
      await (span ? span.run(() => route.handler(event, context)) : route.handler(event, context));
    } catch (error) {
      outcome = outcomeOfError(error, event, delivery);
    }
    span?.end(outcome);
    metrics.handlerEnded(route.pattern, outcome, startedAtMs);
    claims?.settle(index, outcome === "handled");
    return end(outcome);
  } catch (error) {
    const line = { err: loggableError(error), event: eventNames(received) };
    delivery.log.error(line, "event could not be processed");
    return end("failed");
  }
}

function withoutHandler(
  event: CloudEvent,
  delivery: EventDelivery,
  { unhandled, metrics }: EventDependencies,
): Outcome {
  const outcome = outcomeWithoutHandler[unhandled];
  metrics.event("none", outcome);
  const line = { event: eventNames(event), outcome };
  delivery.log[outcome === "unhandled" ? "debug" : "warn"](line, "no handler for this event type");
  return outcome;
}

const outcomeWithoutHandler = {
  acknowledge: "unhandled",
  retry: "deferred",
  reject: "rejected",
} as const;

/** The event with its payload as the schema returns it; `undefined` if the payload is invalid. */
async function withValidPayload(
  event: CloudEvent,
  schema: StandardSchemaV1,
  log: Log,
): Promise<CloudEvent | undefined> {
  const result = await schema["~standard"].validate(event.data);
  if (result.issues !== undefined) {
    const problems = describeIssues(result.issues).map(({ message }) => message);
    log.warn({ event: eventNames(event), problems }, "payload does not match its schema");
    return undefined;
  }
  return result.value === event.data ? event : { ...event, data: result.value };
}

function outcomeOfError(error: unknown, event: CloudEvent, delivery: EventDelivery): Outcome {
  const line = { err: loggableError(error), event: eventNames(event) };
  if (error instanceof RejectEvent) {
    delivery.log.warn(line, "event rejected by its handler");
    return "rejected";
  }
  delivery.log.error(line, "handler failed");
  return delivery.isOverdue ? "timed-out" : "failed";
}
