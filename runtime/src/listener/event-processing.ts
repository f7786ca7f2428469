import type { Received } from "../events/envelope.js";
import { InvalidEnvelopeError } from "../events/envelope-problems.js";
import type { CloudEvent, EventCatalogue } from "../events/index.js";
import { type Awaitable, after, caught } from "../promise.js";
import { type DeduplicationStore, isLease, type Lease, noClaim } from "./deduplication.js";
import type { Delivery } from "./delivery.js";
import { DeliveredEventContext } from "./event-context.js";
import type { HandlerSlots } from "./handler-slots.js";
import type { HandlerTable, Route } from "./handlers.js";
import { keepLease, settleLease } from "./lease-keeping.js";
import type { ListenerMetrics } from "./metrics.js";
import type { Outcome } from "./outcome.js";
import { PayloadProblems, withCheckedPayload } from "./payload.js";
import { nameOf } from "./received.js";
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

/** An event that has a handler, and where it stands in which delivery. */
interface Task {
  readonly event: CloudEvent;
  readonly route: Route;
  readonly delivery: Delivery;
  readonly index: number;
}

/** Takes one event from its envelope to its outcome. Nothing that goes wrong makes it throw. */
export class EventProcessor {
  readonly #options: EventProcessorOptions;

  constructor(options: EventProcessorOptions) {
    this.#options = options;
  }

  /** The outcome, when the event's handler has ended. */
  process(event: Received, delivery: Delivery, index: number): Awaitable<Outcome> {
    const { handlers, slots } = this.#options;
    if (event instanceof InvalidEnvelopeError) return this.#malformed();
    const route = handlers.find(event.type);
    if (route === undefined) return this.#withoutHandler(event, delivery);
    return after(slots.take(), () => this.#inSlot({ event, route, delivery, index }));
  }

  #malformed(): Outcome {
    this.#options.metrics.event("none", "malformed");
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

  #inSlot(task: Task): Awaitable<Outcome> {
    const { event, route, delivery } = task;
    const outcome = caught<Outcome>(
      () => this.#checked(task),
      (error) => {
        const line = { err: readableError(error), event: nameOf(event) };
        delivery.log.error(line, "event could not be taken");
        return "failed";
      },
    );
    return after(outcome, (outcome) => {
      this.#options.slots.giveBack();
      // What the deadline found unfinished was counted then.
      if (!delivery.isOver) this.#options.metrics.event(route.pattern, outcome);
      return outcome;
    });
  }

  #checked(task: Task): Awaitable<Outcome> {
    const { event, delivery } = task;
    if (delivery.isOver) return "timed-out";
    const schema = this.#options.schemas?.get(event.type);
    if (schema === undefined) return this.#claimed(event, task);
    return after(withCheckedPayload(event, schema), (checked) => {
      if (!(checked instanceof PayloadProblems)) return this.#claimed(checked, task);
      const line = { event: nameOf(event), problems: checked.lines };
      delivery.log.warn(line, "payload does not fit its schema");
      return "rejected";
    });
  }

  #claimed(event: CloudEvent, task: Task): Awaitable<Outcome> {
    const { store } = this.#options;
    if (store === undefined) return this.#handled(event, task);
    const { source, id } = event;
    const key = { subscriptionName: task.delivery.subscriptionKey, source, id };
    return after(store.claim(key), (claim) => {
      if (claim === "done") return "duplicate";
      if (claim === "running") return "in-progress";
      if (!isLease(claim)) throw new TypeError(noClaim(claim));
      return this.#leased(claim, store.leaseMs, event, task);
    });
  }

  #leased(lease: Lease, leaseMs: number, event: CloudEvent, task: Task): Awaitable<Outcome> {
    const { log } = task.delivery;
    const stopKeeping = keepLease(lease, leaseMs, log);
    return after(this.#handled(event, task), (outcome) => {
      stopKeeping?.();
      return after(settleLease(lease, outcome, log), () => outcome);
    });
  }

  #handled(event: CloudEvent, task: Task): Awaitable<Outcome> {
    // Schema and store may have taken all the time there was.
    if (task.delivery.isOver) return "timed-out";
    const { metrics } = this.#options;
    const startedAt = metrics.now();
    const outcome = caught<Outcome>(
      () => after(this.#call(event, task), () => "handled"),
      (error) => outcomeOf(error, event, task.delivery),
    );
    return after(outcome, (outcome) => {
      metrics.handlerEnded(task.route.pattern, outcome, metrics.now() - startedAt);
      return outcome;
    });
  }

  #call(event: CloudEvent, { route, delivery, index }: Task): unknown {
    const { handler } = route;
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
