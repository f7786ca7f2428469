import type { CloudEvent, EventCatalogue } from "../events/index.js";
import type { Claim, DeduplicationStore } from "./deduplication.js";
import type { Delivery } from "./delivery.js";
import { DeliveredEventContext } from "./event-context.js";
import type { HandlerSlots } from "./handler-slots.js";
import type { HandlerTable, Route } from "./handlers.js";
import { keepLease, settleLease } from "./lease-keeping.js";
import type { ListenerMetrics } from "./metrics.js";
import type { Outcome } from "./outcome.js";
import { PayloadProblems, withCheckedPayload } from "./payload.js";
import { RejectEvent } from "./reject-event.js";
import type { ListenerTracing } from "./tracing.js";

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

  async process(event: CloudEvent, delivery: Delivery, index: number): Promise<Outcome> {
    const { handlers, slots, metrics } = this.#options;
    const route = handlers.find(event.type);
    if (route === undefined) return this.#withoutHandler(event, delivery);
    const free = slots.take();
    if (free !== undefined) await free;
    let outcome: Outcome = "failed";
    try {
      outcome = delivery.isOver ? "timed-out" : await this.#take(event, route, delivery, index);
    } catch (error) {
      delivery.log.error({ err: error, event: nameOf(event) }, "event could not be taken");
    } finally {
      slots.giveBack();
    }
    metrics.event(route.pattern, outcome);
    return outcome;
  }

  #withoutHandler(event: CloudEvent, delivery: Delivery): Outcome {
    const outcome = outcomeWithoutHandler[this.#options.unhandled];
    this.#options.metrics.event("none", outcome);
    const line = { event: nameOf(event), outcome };
    if (outcome === "rejected") delivery.log.warn(line, "no handler fits");
    else delivery.log.debug(line, "no handler fits");
    return outcome;
  }

  async #take(
    event: CloudEvent,
    route: Route,
    delivery: Delivery,
    index: number,
  ): Promise<Outcome> {
    const schema = this.#options.schemas?.get(event.type);
    const checked = schema === undefined ? event : await withCheckedPayload(event, schema);
    if (checked instanceof PayloadProblems) {
      const line = { event: nameOf(event), problems: checked.lines };
      delivery.log.warn(line, "payload does not fit its schema");
      return "rejected";
    }
    const claimed = this.#claim(event, delivery);
    const claim = claimed instanceof Promise ? await claimed : claimed;
    if (claim === "done") return "duplicate";
    if (claim === "running") return "in-progress";
    if (claim === undefined) return this.#handle(checked, route, delivery, index);
    const stopKeeping = keepLease(claim, this.#options.store?.leaseMs, delivery.log);
    const outcome = await this.#handle(checked, route, delivery, index);
    stopKeeping?.();
    const settled = settleLease(claim, outcome, delivery.log);
    // Most stores that are in memory settle at once, and need not be waited for.
    if (settled !== undefined) await settled;
    return outcome;
  }

  #claim(event: CloudEvent, delivery: Delivery): Claim | undefined | Promise<Claim> {
    const { source, id } = event;
    const subscriptionName = delivery.subscriptionName?.toLowerCase() ?? "";
    return this.#options.store?.claim({ subscriptionName, source, id });
  }

  async #handle(
    event: CloudEvent,
    route: Route,
    delivery: Delivery,
    index: number,
  ): Promise<Outcome> {
    const { tracing, metrics } = this.#options;
    const startedAt = performance.now();
    const outcome = await tracing.run(event, delivery.subscriptionName, () =>
      outcomeOf(event, route, delivery, index),
    );
    metrics.handlerEnded(route.pattern, outcome, performance.now() - startedAt);
    return outcome;
  }
}

async function outcomeOf(
  event: CloudEvent,
  { handler }: Route,
  delivery: Delivery,
  index: number,
): Promise<Outcome> {
  try {
    await handler(event, new DeliveredEventContext(delivery, event, index));
    return "handled";
  } catch (error) {
    const line = { err: error, event: nameOf(event) };
    if (error instanceof RejectEvent) {
      delivery.log.warn(line, "event rejected by its handler");
      return "rejected";
    }
    delivery.log.error(line, "handler failed");
    return delivery.isOver ? "timed-out" : "failed";
  }
}

const outcomeWithoutHandler = {
  acknowledge: "unhandled",
  retry: "deferred",
  reject: "rejected",
} as const;

/** What logs say of an event: never its payload. */
function nameOf({ id, type, source }: CloudEvent): Pick<CloudEvent, "id" | "type" | "source"> {
  return { id, type, source };
}
