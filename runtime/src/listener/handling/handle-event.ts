import type { TracerProvider } from "@opentelemetry/api";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { FastifyBaseLogger } from "fastify";
import type { CloudEvent, EventCatalogue } from "../../events/index.js";
import { describeIssues } from "../../payload-problems.js";
import type { Deduplication, EventClaims } from "../deduplication/index.js";
import type { Delivery } from "../intake/index.js";
import type { Outcome } from "../outcome.js";
import {
  eventNames,
  type ListenerMetrics,
  loggableError,
  startEventSpan,
} from "../telemetry/index.js";
import { DeliveredEventContext } from "./event-context.js";
import type { ExpectedSource } from "./expected-source.js";
import type { HandlerSlots } from "./handler-slots.js";
import type { HandlerTable } from "./handlers.js";
import { RejectEvent } from "./reject-event.js";

/** The dependencies of handling an event. */
export interface EventServices {
  readonly handlers: HandlerTable;
  readonly unhandled: "acknowledge" | "retry" | "reject";
  readonly schemas: EventCatalogue["schemas"] | undefined;
  readonly slots: HandlerSlots;
  readonly expectedSource: ExpectedSource;
  /** `undefined` when handled events are not remembered. */
  readonly deduplication: Deduplication | undefined;
  readonly metrics: ListenerMetrics;
  readonly tracerProvider: TracerProvider | undefined;
}

/**
 * Handles one event: compares it with the binding, takes a handler slot, checks the payload, claims
 * the event, calls its handler and settles the claim. Never rejects.
 *
 * It awaits only what is a promise: most events get their slot and their claim at once.
 */
export async function handleEvent(
  received: CloudEvent,
  delivery: Delivery,
  index: number,
  services: EventServices,
  claims?: EventClaims,
): Promise<Outcome> {
  const { handlers, slots, schemas, metrics } = services;
  const route = handlers.find(received.type);
  if (services.expectedSource.rejects(received, delivery)) {
    metrics.event(route?.pattern ?? "none", "rejected");
    return "rejected";
  }
  if (route === undefined) return withoutHandler(received, delivery, services);

  const slot = slots.take();
  if (slot !== undefined) await slot;
  const end = (outcome: Outcome): Outcome => {
    slots.release();
    // The deadline has already counted the events that it found unfinished.
    if (!delivery.isOver) metrics.event(route.pattern, outcome);
    return outcome;
  };
  try {
    if (delivery.isOver) return end("timed-out");

    const schema = schemas?.get(received.type);
    const event =
      schema === undefined ? received : await withValidPayload(received, schema, delivery.log);
    if (event === undefined) return end("rejected");

    if (claims !== undefined) {
      const claiming = claims.claim(index);
      const claim = claiming instanceof Promise ? await claiming : claiming;
      if (claim === "done") return end("duplicate");
      if (claim === "running") return end("in-progress");
    }

    let outcome: Outcome = "timed-out";
    // Schema and store may have taken all the time until the deadline.
    if (!delivery.isOver) {
      const startedAt = metrics.now();
      const context = new DeliveredEventContext(delivery, event, index);
      const { subscriptionName } = delivery;
      const span = startEventSpan(services.tracerProvider, event, subscriptionName);
      try {
        await (span
          ? span.run(() => route.handler(event, context))
          : route.handler(event, context));
        outcome = "handled";
      } catch (error) {
        outcome = outcomeOfError(error, event, delivery);
      }
      span?.end(outcome);
      metrics.handlerEnded(route.pattern, outcome, startedAt);
    }

    const settling = claims?.settle(index, outcome === "handled");
    if (settling !== undefined) await settling;
    return end(outcome);
  } catch (error) {
    const line = { err: loggableError(error), event: eventNames(received) };
    delivery.log.error(line, "event could not be processed");
    return end("failed");
  }
}

function withoutHandler(
  event: CloudEvent,
  delivery: Delivery,
  { unhandled, metrics }: EventServices,
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
  log: FastifyBaseLogger,
): Promise<CloudEvent | undefined> {
  const result = await schema["~standard"].validate(event.data);
  if (result.issues !== undefined) {
    const problems = describeIssues(result.issues).map(({ message }) => message);
    log.warn({ event: eventNames(event), problems }, "payload does not match its schema");
    return undefined;
  }
  return result.value === event.data ? event : { ...event, data: result.value };
}

function outcomeOfError(error: unknown, event: CloudEvent, delivery: Delivery): Outcome {
  const line = { err: loggableError(error), event: eventNames(event) };
  if (error instanceof RejectEvent) {
    delivery.log.warn(line, "event rejected by its handler");
    return "rejected";
  }
  delivery.log.error(line, "handler failed");
  return delivery.isOver ? "timed-out" : "failed";
}
