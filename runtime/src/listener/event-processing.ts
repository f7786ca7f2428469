import { InvalidEnvelopeError } from "../events/envelope-problems.js";
import type { CloudEvent, EventCatalogue } from "../events/index.js";
import { type DeduplicationStore, isLease, noClaim } from "./deduplication.js";
import type { Delivery } from "./delivery.js";
import { DeliveredEventContext } from "./event-context.js";
import type { HandlerSlots } from "./handler-slots.js";
import type { HandlerTable, Route } from "./handlers.js";
import { keepLease, settleLease } from "./lease-keeping.js";
import type { ListenerMetrics } from "./metrics.js";
import type { Outcome } from "./outcome.js";
import { PayloadProblems, withCheckedPayload } from "./payload.js";
import { isPromise } from "./promise.js";
import { nameOf, type Received } from "./received.js";
import { RejectEvent } from "./reject-event.js";
import { readableError } from "./thrown.js";
import { type ListenerTracing, traced } from "./tracing.js";

export interface EventProcessorOptions {
  readonly handlers: HandlerTable;
  readonly schemas: EventCatalogue["schemas"] | undefined;
  readonly unhandled: "acknowledge" | "retry" | "reject";
  readonly slots: HandlerSlots;
  readonly store: DeduplicationStore | undefined;
  readonly metrics: ListenerMetrics;
  readonly tracing: ListenerTracing;
}

/** Takes one event from its envelope to its outcome. Nothing that goes wrong makes it throw. */
export class EventProcessor {
  readonly #options: EventProcessorOptions;

  constructor(options: EventProcessorOptions) {
    this.#options = options;
  }

  /** The outcome, when the event's handler has ended. */
  process(event: Received, delivery: Delivery, index: number): Promise<Outcome> {
    const { handlers, slots } = this.#options;
    if (event instanceof InvalidEnvelopeError) {
      return Promise.resolve(this.#malformed(event, delivery, index));
    }
    const route = handlers.find(event.type);
    if (route === undefined) return Promise.resolve(this.#withoutHandler(event, delivery));
    const free = slots.take();
    if (free === undefined) return this.#inSlot(event, route, delivery, index);
    return free.then(() => this.#inSlot(event, route, delivery, index));
  }

  #malformed({ problems }: InvalidEnvelopeError, delivery: Delivery, index: number): Outcome {
    this.#options.metrics.event("none", "malformed");
    delivery.log.warn({ index, problems }, "not a CloudEvent");
    return "malformed";
  }

  #withoutHandler(event: CloudEvent, delivery: Delivery): Outcome {
    const outcome = outcomeWithoutHandler[this.#options.unhandled];
    this.#options.metrics.event("none", outcome);
    const line = { event: nameOf(event), outcome };
    if (outcome === "rejected") delivery.log.warn(line, "no handler fits");
    else delivery.log.debug(line, "no handler fits");
    return outcome;
  }

  // One function of a few steps instead of several small ones: a promise more for every event is
  // more than all that the steps themselves cost.
  async #inSlot(
    event: CloudEvent,
    route: Route,
    delivery: Delivery,
    index: number,
  ): Promise<Outcome> {
    const { slots, store, metrics } = this.#options;
    let outcome: Outcome = "failed";
    try {
      if (delivery.isOver) {
        outcome = "timed-out";
        return outcome;
      }
      const schema = this.#options.schemas?.get(event.type);
      const checked = schema === undefined ? event : await withCheckedPayload(event, schema);
      if (checked instanceof PayloadProblems) {
        const line = { event: nameOf(event), problems: checked.lines };
        delivery.log.warn(line, "payload does not fit its schema");
        outcome = "rejected";
        return outcome;
      }
      const { source, id } = event;
      const claimed = store?.claim({ subscriptionName: delivery.subscriptionKey, source, id });
      const claim = isPromise(claimed) ? await claimed : claimed;
      if (claim === "done" || claim === "running") {
        outcome = claim === "done" ? "duplicate" : "in-progress";
        return outcome;
      }
      if (store !== undefined && !isLease(claim)) throw new TypeError(noClaim(claim));
      const stopKeeping = claim && keepLease(claim, store?.leaseMs, delivery.log);
      if (delivery.isOver) {
        // Schema and store took all the time there was.
        outcome = "timed-out";
      } else {
        const startedAt = performance.now();
        try {
          await this.#call(checked, route, delivery, index);
          outcome = "handled";
        } catch (error) {
          outcome = outcomeOf(error, event, delivery);
        }
        metrics.handlerEnded(route.pattern, outcome, performance.now() - startedAt);
      }
      stopKeeping?.();
      const settling = claim && settleLease(claim, outcome, delivery.log);
      if (settling !== undefined) await settling;
    } catch (error) {
      delivery.log.error(
        { err: readableError(error), event: nameOf(event) },
        "event could not be taken",
      );
    } finally {
      slots.giveBack();
      // What the deadline found unfinished was counted then.
      if (!delivery.isOver) metrics.event(route.pattern, outcome);
    }
    return outcome;
  }

  #call(event: CloudEvent, { handler }: Route, delivery: Delivery, index: number): unknown {
    const context = new DeliveredEventContext(delivery, event, index);
    const tracer = this.#options.tracing.tracer();
    if (tracer === undefined) return handler(event, context);
    return traced(tracer, event, delivery.subscriptionName, async () => handler(event, context));
  }
}

/** What an event becomes whose handler threw. */
function outcomeOf(error: unknown, event: CloudEvent, delivery: Delivery): Outcome {
  const line = { err: readableError(error), event: nameOf(event) };
  if (error instanceof RejectEvent) {
    delivery.log.warn(line, "event rejected by its handler");
    return "rejected";
  }
  delivery.log.error(line, "handler failed");
  return delivery.isOver ? "timed-out" : "failed";
}

const outcomeWithoutHandler = {
  acknowledge: "unhandled",
  retry: "deferred",
  reject: "rejected",
} as const;
