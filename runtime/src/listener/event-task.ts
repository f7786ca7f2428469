import type { CloudEvent, EventCatalogue } from "../events/index.js";
import { type Awaitable, after, caught } from "../promise.js";
import {
  type Claim,
  type DeduplicationStore,
  isLease,
  type Lease,
  noClaim,
} from "./deduplication.js";
import type { Delivery } from "./delivery.js";
import { DeliveredEventContext } from "./event-context.js";
import type { HandlerSlots } from "./handler-slots.js";
import type { Route } from "./handlers.js";
import { keepLease, settleLease } from "./lease-keeping.js";
import type { ListenerMetrics } from "./metrics.js";
import type { Outcome } from "./outcome.js";
import { PayloadProblems, withCheckedPayload } from "./payload.js";
import { nameOf } from "./received.js";
import { RejectEvent } from "./reject-event.js";
import { readableError } from "./thrown.js";
import { type ListenerTracing, traced } from "./tracing.js";

/** What the steps of an event work with. */
export interface EventTaskParts {
  readonly schemas: EventCatalogue["schemas"] | undefined;
  readonly slots: HandlerSlots;
  readonly store: DeduplicationStore | undefined;
  readonly metrics: ListenerMetrics;
  readonly tracing: ListenerTracing;
}

/** An event that has a handler, on its way through the steps below. */
export class EventTask {
  lease: Lease | undefined = undefined;
  stopKeeping: (() => void) | undefined = undefined;
  /** When its handler was called, where anybody measures. */
  startedAt = 0;

  constructor(
    readonly parts: EventTaskParts,
    public event: CloudEvent,
    readonly route: Route,
    readonly delivery: Delivery,
    readonly index: number,
  ) {}
}

/** The steps of an event that was given a slot for its handler; the slot is given back. */
export function outcomeInSlot(_slot: unknown, task: EventTask): Awaitable<Outcome> {
  return after(caught(check, couldNotBeTaken, task), leaveSlot, task);
}

function couldNotBeTaken(error: unknown, { event, delivery }: EventTask): Outcome {
  const line = { err: readableError(error), event: nameOf(event) };
  delivery.log.error(line, "event could not be taken");
  return "failed";
}

function leaveSlot(outcome: Outcome, { parts, delivery, route }: EventTask): Outcome {
  parts.slots.giveBack();
  // What the deadline found unfinished was counted then.
  if (!delivery.isOver) parts.metrics.event(route.pattern, outcome);
  return outcome;
}

function check(task: EventTask): Awaitable<Outcome> {
  if (task.delivery.isOver) return "timed-out";
  const schema = task.parts.schemas?.get(task.event.type);
  if (schema === undefined) return claim(task);
  return after(withCheckedPayload(task.event, schema), checked, task);
}

function checked(event: CloudEvent | PayloadProblems, task: EventTask): Awaitable<Outcome> {
  if (event instanceof PayloadProblems) {
    const line = { event: nameOf(task.event), problems: event.lines };
    task.delivery.log.warn(line, "payload does not fit its schema");
    return "rejected";
  }
  task.event = event;
  return claim(task);
}

function claim(task: EventTask): Awaitable<Outcome> {
  const { store } = task.parts;
  if (store === undefined) return handle(task);
  const { source, id } = task.event;
  const key = { subscriptionName: task.delivery.subscriptionKey, source, id };
  return after(store.claim(key), claimed, task);
}

function claimed(lease: Claim, task: EventTask): Awaitable<Outcome> {
  if (lease === "done") return "duplicate";
  if (lease === "running") return "in-progress";
  if (!isLease(lease)) throw new TypeError(noClaim(lease));
  task.lease = lease;
  task.stopKeeping = keepLease(lease, task.parts.store?.leaseMs, task.delivery.log);
  return after(handle(task), settle, task);
}

function settle(outcome: Outcome, { lease, stopKeeping, delivery }: EventTask): Awaitable<Outcome> {
  stopKeeping?.();
  if (lease === undefined) return outcome;
  return after(settleLease(lease, outcome, delivery.log), settled, outcome);
}

function settled(_nothing: unknown, outcome: Outcome): Outcome {
  return outcome;
}

function handle(task: EventTask): Awaitable<Outcome> {
  // Schema and store may have taken all the time there was.
  if (task.delivery.isOver) return "timed-out";
  task.startedAt = task.parts.metrics.now();
  return after(caught(call, thrown, task), handled, task);
}

function call(task: EventTask): Awaitable<Outcome> {
  return after(called(task), returned);
}

function called({ event, route, delivery, index, parts }: EventTask): unknown {
  const { handler } = route;
  const context = new DeliveredEventContext(delivery, event, index);
  const tracer = parts.tracing.tracer();
  if (tracer === undefined) return handler(event, context);
  return traced(tracer, event, delivery.subscriptionName, async () => handler(event, context));
}

function returned(): Outcome {
  return "handled";
}

/** What an event becomes whose handler threw. */
function thrown(error: unknown, { event, delivery }: EventTask): Outcome {
  const line = { err: readableError(error), event: nameOf(event) };
  if (error instanceof RejectEvent) {
    delivery.log.warn(line, "event rejected by its handler");
    return "rejected";
  }
  delivery.log.error(line, "handler failed");
  return delivery.isOver ? "timed-out" : "failed";
}

function handled(outcome: Outcome, { parts, route, startedAt }: EventTask): Outcome {
  const { metrics } = parts;
  metrics.handlerEnded(route.pattern, outcome, metrics.now() - startedAt);
  return outcome;
}
