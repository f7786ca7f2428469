import type { Received } from "../events/envelope.js";
import { InvalidEnvelopeError } from "../events/envelope-problems.js";
import type { CloudEvent } from "../events/index.js";
import { type Awaitable, after } from "../promise.js";
import type { Delivery } from "./delivery.js";
import { EventTask, type EventTaskParts, outcomeInSlot } from "./event-task.js";
import type { HandlerTable } from "./handlers.js";
import type { Outcome } from "./outcome.js";
import { nameOf } from "./received.js";

export interface EventProcessorOptions extends EventTaskParts {
  readonly handlers: HandlerTable;
  readonly unhandled: "acknowledge" | "retry" | "reject";
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
    const task = new EventTask(this.#options, event, route, delivery, index);
    return after(slots.take(), outcomeInSlot, task);
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
}

const outcomeWithoutHandler = {
  acknowledge: "unhandled",
  retry: "deferred",
  reject: "rejected",
} as const;
